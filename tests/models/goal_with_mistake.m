-- expect: rejected "y"
-- options: --property goal
-- expect: violated invariant "the goal is never reached", trace 2
-- options: --goal 'x = 2'
-- expect: holds
-- options: --goal 'x = 3' --search 'astar(abstraction())'
-- expect: holds
-- options: --deadlock off
--@ goal y = 3
var x: 0..3;
startstate x := 0; endstartstate;
rule "up" x < 2 ==> x := x + 1; endrule;
