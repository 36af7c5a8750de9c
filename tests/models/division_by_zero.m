-- expect: violated run-time error, trace 3
var x: 0..5;
startstate begin x := 2; end;
rule begin x := 4 / x - 4 / x + x - 1; end;
