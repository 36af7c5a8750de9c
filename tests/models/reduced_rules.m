-- expect: holds, states 16, transitions 24
-- options: --deadlock off --search dfs --reduce none
-- expect: holds, states 7, transitions 6
-- options: --deadlock off --search dfs --reduce por
-- expect: holds, states 7, transitions 6
-- options: --deadlock off --reduce por
-- Counters that nobody compares: each instance of the rule is a step of its own.
var count: array [0..1] of 0..3;
startstate begin count[0] := 0; count[1] := 0; end;
ruleset i: 0..1 do
  rule "count" count[i] < 3 ==> begin count[i] := count[i] + 1; end;
end;
