-- expect: holds, states 4
-- options: --deadlock off
-- expect: holds, states 4
-- options: --search biased-bfs --mark 'set when exists q: pid do !on[q] end' --deadlock off
-- expect: holds, states 8, prints "not permuted in this run"
-- options: --search biased-bfs --mark 'set when lowest() = p' --deadlock off
type pid: scalarset(3);
var on: array [pid] of boolean;
function lowest(): pid;
begin
  for p: pid do if !on[p] then return p; end; end;
end;
startstate begin for p: pid do on[p] := false; end; end;
ruleset p: pid do
  rule "set" !on[p] ==> begin on[p] := true; end;
end;
