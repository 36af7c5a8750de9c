-- expect: violated mu "mu_0", trace 1
-- options: --deadlock off --mu 'AF {x = 1}'
-- expect: holds
-- options: --deadlock off --mu 'EG {x != 1}' --mu 'EX AX false' --mu 'EF (AG {x = 2} && !EX true)'
-- expect: violated mu "mu_0"
-- options: --deadlock off --mu 'AG EF {x = 1}'
-- expect: holds, trace 1
-- options: --deadlock off --mu 'E(<> [] {x = 2})'
-- expect: violated ltl "ltl_0"
-- options: --deadlock off --ltl '<> {x = 1}'
-- expect: violated mu "mu_0", trace 1
-- options: --deadlock off --mu 'A(<> {x = 1})'
--
-- 0 goes to 1 and to 2; 1 goes round, and 2 is the end.
var x: 0..2;

startstate x := 0; end;

rule "Go" x = 0 ==> x := 1; end;
rule "End" x = 0 ==> x := 2; end;
rule "Round" x = 1 ==> end;
