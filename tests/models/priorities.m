-- expect: holds, states 2
-- Only the enabled rules with the smallest number fire; no number means 0.
var x: 0..5;
startstate begin x := 0; end;
rule 5 "low" begin x := 5; end;
rule "high" begin x := 1 - x; end;
invariant x < 2;
