-- expect: holds, states 2
var x: 0..3;
startstate begin x := 0; end;
rule begin x := 1 - x; return; x := 3; end;
invariant x < 2;
