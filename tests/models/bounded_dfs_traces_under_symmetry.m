-- A token is handed on by whoever has it; the trace of a violation goes through several frontiers and representatives.
-- expect: violated invariant "few turns", trace 7
-- options: --search bounded-dfs(step=2)
-- expect: violated invariant "few turns", trace 7
-- options: --search bounded-dfs(step=2,frontier=states) --store fingerprint
-- expect: violated invariant "few turns", trace 7
-- options: --search bounded-dfs(step=3,frontier=traces,revisit=depth) --engine native
-- expect: violated invariant "few turns", trace 7
-- options: --search bounded-dfs(step=2) --reduce none --engine interpret
-- expect: holds-in-scope
-- options: --search bounded-dfs(bound=6,step=2)
type node: scalarset(4);
var holder: node;
    had: array[node] of boolean;
    turns: 0..10;
startstate begin
  undefine holder;
  turns := 0;
  for i: node do had[i] := false; end;
end;
ruleset i: node do
  rule "first" isundefined(holder) ==> begin holder := i; turns := 1; end;
end;
ruleset i: node do
  rule "hand on" !isundefined(holder) & holder != i & turns < 10 ==> begin
    had[holder] := true;
    holder := i;
    turns := turns + 1;
  end;
end;
rule "rest" turns = 10 ==> begin end;
invariant "few turns" turns < 7;
