-- expect: violated run-time error "with operands 2 and 3"
-- options: --engine interpret
-- expect: violated run-time error "with operands 2 and 3"
-- options: --engine native
-- There is nothing below 0 once numbers are unsigned, not even on the way to a result that is above.
var x: 0 .. 18446744073709551614;
startstate begin x := 2; end;
rule begin x := x - 3 + 3; end;
