-- Two counters up to 4: 25 states, the deepest at depth 8, from which one step leads back. Up to symmetry there are 15.
-- expect: holds, states 25, transitions 41
-- options: --search bounded-dfs(step=3) --engine interpret --reduce none
-- expect: holds, states 25, transitions 41
-- options: --search bounded-dfs(step=3,frontier=traces) --engine native --reduce none
-- expect: holds, states 15, transitions 25
-- options: --search bounded-dfs(step=3) --engine interpret
-- expect: holds, states 15, transitions 25
-- options: --search bounded-dfs(step=1,frontier=traces) --engine native
-- expect: holds, states 15, transitions 25
-- options: --search bounded-dfs(step=2,frontier=states,revisit=depth) --engine native
-- expect: holds, states 25, transitions 40
-- options: --search bounded-dfs(bound=8,step=5) --reduce none
-- expect: holds-in-scope, states 24, transitions 38, prints "no violation within 7 steps"
-- options: --search bounded-dfs(bound=7,step=0) --reduce none
-- expect: holds-in-scope, states 24, transitions 38, prints "no violation within 7 steps"
-- options: --search bounded-dfs(bound=100,step=2,revisit=depth) --max-depth 7 --reduce none
-- expect: holds-in-scope, states 14, prints "no violation within 7 steps"
-- options: --search bounded-dfs(7) --store fingerprint --allow-lossy
-- expect: holds-in-scope, states 1
-- options: --search bounded-dfs(bound=0)
-- expect: inconclusive, states 25, prints "revisit=naive"
-- options: --search bounded-dfs(revisit=naive) --reduce none
type node: scalarset(2);
var count: array[node] of 0..4;
startstate begin for i: node do count[i] := 0; end; end;
ruleset i: node do
  rule "up" count[i] < 4 ==> begin count[i] := count[i] + 1; end;
end;
rule "again" forall i: node do count[i] = 4 end ==> begin for i: node do count[i] := 0; end; end;
invariant "in range" forall i: node do count[i] <= 4 end;
