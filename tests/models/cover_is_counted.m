-- expect: holds, states 4, prints "2"
-- expect: holds, states 4
-- options: --property invariants
var x: 0..3;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
cover "small" x < 2;
