-- expect: holds, states 20, transitions 60
-- options: --search bfs
-- expect: holds, states 20, transitions 60
-- options: --search biased-bfs --mark take
-- expect: holds, states 20, transitions 60
-- options: --search 'biased-bfs(limit=0, batched=no)' --mark 'take when held[p] = 0' --store exact
-- expect: holds, states 20
-- options: --search biased-dfs --mark take,give
-- expect: holds, states 20
-- options: --search 'biased-dfs(threshold=1, switch-on-marked=yes)' --mark take --engine native
-- expect: holds, states 20
-- options: --search 'context-bounded(40)'
-- expect: holds, states 64, transitions 192
-- options: --search biased-bfs --mark take --reduce none
-- expect: holds, states 64, transitions 192
-- options: --search biased-dfs --mark take --reduce none --engine native
-- expect: holds, states 64, transitions 192
-- options: --search 'context-bounded(40)' --reduce none
type pid: scalarset(3);
var held: array [pid] of 0..3;
startstate begin for p: pid do held[p] := 0; end; end;
ruleset p: pid do
  rule "take" held[p] < 3 ==> begin held[p] := held[p] + 1; end;
  rule "give" held[p] = 3 ==> begin held[p] := 0; end;
end;
invariant "in range" forall p: pid do held[p] <= 3 end;
