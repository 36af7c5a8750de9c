-- expect: holds, states 2
var
  b: boolean;
  n: 0..100;
startstate begin b := false; n := 0; end;
rule
begin
  n := 0;
  for i := 0 to 6 by 3 do n := n * 10 + i; end;
  assert n = 36;
  n := 0;
  for i := 3 to 1 by -1 do n := n + i; end;
  assert n = 6;
  n := 0;
  b := !b;
end;
