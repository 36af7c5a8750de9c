-- expect: holds, states 2
-- options: --engine interpret
-- expect: holds, states 2
-- options: --engine native
-- `?` may choose between records and arrays where they are copied: in an assignment and in `return`.
type Pair: record a, b: 0..3; end;
var x, y: Pair; turn: boolean;
function larger(p, q: Pair): Pair; begin return p.a > q.a ? p : (p.a = q.a & p.b > q.b ? p : q); end;
startstate begin x.a := 1; x.b := 2; y.a := 1; y.b := 3; turn := false; end;
rule
var z: Pair;
begin
  z := turn ? x : y;
  assert z.b = (turn ? 2 : 3);
  z := larger(x, y);
  assert z.b = 3;
  turn := !turn;
end;
