-- expect: rejected "it can be said once"
-- options: --property goal
--@ goal x = 2
var x: 0..3;
startstate x := 0; endstartstate;
rule "up" x < 2 ==> x := x + 1; endrule;
--@ goal x = 3
