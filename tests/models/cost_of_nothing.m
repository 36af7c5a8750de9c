-- expect: rejected "this cost belongs to no rule or statement"
-- options: --search 'astar(zero)'
var x: 0..3;
startstate x := 0; endstartstate;
rule "up" x < 3 ==> x := x + 1; endrule;
--@ cost 3
invariant "low" x < 3;
