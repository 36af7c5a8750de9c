-- expect: rejected
var x: 0..3;
startstate begin x := true; end;
rule begin x := 1; end;
