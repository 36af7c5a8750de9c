-- expect: violated mu "mu_0", trace 18
-- options: --search highway(n=1) --property mu --mu 'AG !{x = 9 & y = 9}'
-- expect: inconclusive, prints "this part does not decide the formula"
-- options: --search highway(n=1) --property mu --mu 'AG EF {x = 0 & y = 0}'
-- expect: inconclusive, prints "no witness of this existential formula"
-- options: --search breadth-bounded(n=1) --property mu --mu 'EF {x = 9 & y = 0}' --mu 'EF {x = 0 & y = 9}'
-- expect: holds
-- options: --search highway(n=1000) --mu 'AG EF {x = 0 & y = 0}'
--
-- Two counters that start again together: with one lane a run straight to the corner is all that is kept.
var x, y: 0..9;

startstate x := 0; y := 0; end;

rule "X" x < 9 ==> x := x + 1; end;
rule "Y" y < 9 ==> y := y + 1; end;
rule "Reset" x = 9 & y = 9 ==> x := 0; y := 0; end;
