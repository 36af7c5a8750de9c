-- expect: violated run-time error, trace 1
var
  x: 0..3;
  y: 0..3;
startstate begin x := 0; undefine y; end;
rule begin x := y + 1; end;
