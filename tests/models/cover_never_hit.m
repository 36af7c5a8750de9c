-- expect: violated cover "out of reach"
-- expect: holds, states 4
-- options: --property invariants
var x: 0..7;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
cover "out of reach" x = 5;
