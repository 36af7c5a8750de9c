-- expect: violated deadlock, trace 2
-- options: --search astar(h=zero) --order reverse
-- expect: violated deadlock, trace 2
-- options: --search greedy(h=zero)
-- expect: violated run-time error, trace 3, prints "no shorter run shows this"
-- options: --search greedy(h=zero) --order reverse
-- expect: violated run-time error, trace 3
-- options: --search astar(h=zero) --deadlock off
var
  a: 0..4;

startstate begin a := 0; end;

rule "one" a = 0 ==> begin a := 1; end;
rule "dead end" a = 1 ==> begin a := 4; end;
rule "two" a = 1 ==> begin a := 2; end;
rule "too far" a = 2 ==> begin a := a + 3; end;
