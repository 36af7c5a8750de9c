-- expect: holds, states 3
var x: 0..2;
startstate begin x := 0; end;
rule
var n: 0..10;
begin
  n := 0;
  while n < 10 do n := n + 1; end;
  assert n = 10;
  switch x
  case 0, 1: x := x + 1;
  else x := 0;
  end;
end;
