-- expect: violated invariant "not all full", trace 6, states 10, transitions 20
-- options: --deadlock off --keep-going --search astar(h=zero)
-- expect: violated invariant "not all full", trace 6, states 27, transitions 54
-- options: --deadlock off --keep-going --search astar(zero()) --reduce none
-- expect: violated invariant "not all full", trace 6, states 27, transitions 54
-- options: --deadlock off --keep-going --search greedy(h=zero) --reduce none --engine native --order reverse
-- expect: violated invariant "not all full", trace 6, states 10, transitions 20
-- options: --deadlock off --keep-going --search greedy(h=zero) --store fingerprint --reduce symmetry
-- expect: violated invariant "not all full", trace 6, states 10
-- options: --deadlock off --keep-going --search greedy(h=marked) --mark fill --reduce symmetry
-- expect: violated invariant "not all full", trace 6, states 27
-- options: --deadlock off --keep-going --search astar(h=marked()) --mark fill --reduce none --store fingerprint
-- expect: holds-in-scope, states 8, transitions 16
-- options: --deadlock off --search astar(h=marked()) --mark fill --max-depth 4
type
  id: scalarset(3);
var
  level: array [id] of 0..2;

startstate begin
  for i: id do level[i] := 0; end;
end;

ruleset i: id do
  rule "fill" level[i] < 2 ==> begin level[i] := level[i] + 1; end;
end;

invariant "not all full" exists i: id do level[i] != 2 end;
