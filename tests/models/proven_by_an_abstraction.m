-- expect: holds, states 1, transitions 0
-- options: --deadlock off --search astar(h=abstraction())
-- expect: holds, states 500, transitions 1000
-- options: --deadlock off
-- expect: violated invariant "below", trace 4
-- options: --deadlock off --search astar(h=abstraction()) -D Limit=4
-- A table of the values of x alone shows that it never comes to the limit, so that one state decides.
const Limit: 7;
var x: 0..9; y: 0..99;
startstate begin x := 0; y := 0; end;
rule "step" begin x := (x + 1) % 5; end;
rule "tick" begin y := (y + 1) % 100; end;
invariant "below" x < Limit;
