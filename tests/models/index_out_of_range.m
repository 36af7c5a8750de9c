-- expect: violated run-time error
var
  i: 0..3;
  a: array [0..2] of boolean;
startstate begin i := 0; clear a; end;
rule begin i := i + 1; a[i] := true; end;
