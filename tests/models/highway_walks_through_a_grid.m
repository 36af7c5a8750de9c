-- expect: violated invariant "not far", trace 30
-- options: --search highway(n=1)
-- expect: violated invariant "not far", trace 30
-- options: --search breadth-bounded(n=2)
-- expect: violated invariant "not far", trace 30
-- options: --search highway(n=3) -D Far=30 --seed 77
-- expect: holds, states 400, transitions 760
-- options: --search highway(n=20) -D Far=100 --deadlock off
-- expect: inconclusive
-- options: --search highway(n=3) -D Far=100 --deadlock off
-- expect: violated deadlock, trace 38
-- options: --search breadth-bounded(n=1) -D Far=100
-- expect: holds-in-scope
-- options: --search breadth-bounded(n=100) -D Far=100 --max-depth 10
-- expect: inconclusive
-- options: --search breadth-bounded(n=2) -D Far=100 --max-depth 10
--
-- Steps lead right or up in a grid of 20 by 20, so whatever way is taken to a corner, it has the same length, and a level
-- is a diagonal of at most 20 states.

const
  Size: 20;
  Far: 30;

var
  x, y: 0..Size - 1;

startstate
begin
  x := 0;
  y := 0;
end;

rule "right"
  x < Size - 1
==>
begin
  x := x + 1;
end;

rule "up"
  y < Size - 1
==>
begin
  y := y + 1;
end;

invariant "not far"
  x + y < Far;
