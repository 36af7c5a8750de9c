-- expect: violated run-time error
-- A loop may run a thousand rounds.
var x: 0..1;
startstate begin x := 0; end;
rule begin while x = 0 do x := 0; end; end;
