-- expect: holds, states 3
-- A state that breaks a global assumption is not explored, and a step that breaks a local one does not happen.
var x: 0..10;
startstate begin x := 0; end;
rule x < 10 ==> begin x := x + 1; end;
rule x > 0 ==> begin x := 0; end;
rule "to nine" begin x := 9; assume x < 9; end;
assume x < 3;
invariant x < 3;
