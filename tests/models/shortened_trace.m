-- expect: violated invariant "not three", trace 3, prints "shortened from 9 to 3 steps; no shorter run shows this"
-- options: --search dfs
-- expect: violated invariant "not three", trace 3, prints "shortened from 9 to 3 steps; no shorter run shows this"
-- options: --search dfs --engine native --shorten 50%
-- expect: violated invariant "not three", trace 9
-- options: --search dfs --shorten off
-- expect: violated invariant "not three", trace 3
-- options: --search bfs
var
  idle: 0..6;
  b: 0..3;

startstate begin
  idle := 0;
  b := 0;
end;

rule "idle" idle < 6 ==> begin idle := idle + 1; end;
rule "go on" b < 3 ==> begin b := b + 1; end;

invariant "not three" b != 3;
