-- expect: rejected "a cost is a whole number"
-- options: --search dijkstra
-- expect: violated invariant "low"
var x: 0..3;
startstate x := 0; endstartstate;
--@ cost cheap
rule "up" x < 3 ==> x := x + 1; endrule;
invariant "low" x < 3;
