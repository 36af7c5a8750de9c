-- expect: violated invariant "never both", trace 2
-- options: --deadlock off --search dfs --reduce por
-- expect: violated invariant "never both", trace 2
-- options: --deadlock off --reduce por
-- Both orders of the middle steps lead to the same state, but only one of them passes through the violation.
var a, b: 0..2; x, y: boolean;
startstate begin a := 0; b := 0; x := false; y := false; end;
rule "raise x" a = 0 ==> begin a := 1; x := true; end;
rule "lower x" a = 1 ==> begin a := 2; x := false; end;
rule "raise y" b = 0 ==> begin b := 1; y := true; end;
rule "lower y" b = 1 ==> begin b := 2; y := false; end;
invariant "never both" !(x & y);
