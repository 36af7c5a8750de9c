-- expect: rejected "what is the cost?"
var x: 0..3;
startstate x := 0; endstartstate;
rule "up" x < 3 ==> --@ cost
  x := x + 1; endrule;
