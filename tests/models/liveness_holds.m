-- expect: holds, states 3
var x: 0..2;
startstate begin x := 0; end;
rule begin x := (x + 1) % 3; end;
ruleset y: 0..2 do liveness "comes back" x = y end;
