-- expect: violated deadlock, trace 1
-- expect: holds, states 2
-- options: --deadlock stuck
-- expect: holds, states 2
-- options: --deadlock off
-- Every enabled rule of the last state leads back to it.
var x: 0..1;
startstate begin x := 0; end;
rule begin x := 1; end;
