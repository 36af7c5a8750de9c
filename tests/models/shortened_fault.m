-- expect: violated assertion "that was one too many", trace 4, prints "shortened from 10 to 4 steps; no shorter run shows this"
-- options: --search dfs
-- expect: violated assertion "that was one too many", trace 10
-- options: --search dfs --shorten off
-- expect: violated assertion "that was one too many", trace 4
-- options: --search dfs --reduce none --engine native
type
  id: scalarset(2);
var
  idle: array [id] of 0..3;
  b: 0..3;

startstate begin
  for i: id do idle[i] := 0; end;
  b := 0;
end;

ruleset i: id do
  rule "idle" idle[i] < 3 ==> begin idle[i] := idle[i] + 1; end;
end;
rule "go on" true ==> begin
  if b = 3 then error "that was one too many"; end;
  b := b + 1;
end;
