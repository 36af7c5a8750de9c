-- expect: holds, states 24
type Small: 0..23;
var x: Small;
function factorial(n: 0..4): 1..24;
begin
  if n = 0 then return 1; end;
  return n * factorial(n - 1);
end;
procedure increase(var n: Small; by_how_much: Small);
begin
  n := (n + by_how_much) % factorial(4);
end;
startstate begin x := 0; end;
rule begin increase(x, 1); end;
