-- expect: holds
-- options: --deadlock off --ltl "<> [] x = 3"
-- expect: violated ltl, trace 3
-- options: --deadlock off --ltl "[] <> x < 3"
-- expect: violated ltl, trace 3
-- options: --deadlock off --ltl "[] <> x < 3" --search l2s
-- expect: holds
-- options: --deadlock off --progress up
var x: 0 .. 3;
startstate x := 0; end;
rule "up" x < 3 ==> x := x + 1; end;
