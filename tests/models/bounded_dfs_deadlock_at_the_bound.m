-- The last state is a deadlock, five steps away: nothing new lies beyond it, yet a bound of 5 must not say "holds".
-- expect: holds-in-scope, states 6
-- options: --search bounded-dfs(bound=5,step=2)
-- expect: violated deadlock, trace 5
-- options: --search bounded-dfs(bound=6,step=2)
-- expect: violated deadlock, trace 5
-- options: --search bounded-dfs
-- expect: holds, states 6
-- options: --search bounded-dfs(bound=5,step=2) --deadlock off
var x: 0..5;
startstate begin x := 0; end;
rule x < 5 ==> begin x := x + 1; end;
