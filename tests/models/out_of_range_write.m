-- expect: violated run-time error, trace 4
var x: 0..3;
startstate begin x := 0; end;
rule begin x := x + 1; end;
