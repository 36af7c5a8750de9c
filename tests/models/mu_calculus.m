-- expect: holds
-- options: --mu 'AG EF {x = 3}'
-- expect: holds, prints "this shows that the formula holds"
-- options: --mu 'EF {x = 3}'
-- expect: violated mu "mu_0", trace 2
-- options: --mu 'AG <Add(1)>true'
-- expect: holds
-- options: --mu '[true* . Reset]{x = 0}'
-- expect: holds, trace 3
-- options: --mu 'nu X. <Add(1) . Add(2) . Reset>X'
-- expect: violated mu "mu_0", trace 1
-- options: --mu 'nu X. <Add(2)>X'
-- expect: holds
-- options: --mu 'forall d: 1..2. <Add(d)>{x = d}'
-- expect: violated mu "mu_0"
-- options: --mu 'exists v: 0..3. AG !{x = v}'
-- expect: holds
-- options: --mu 'A([] <> {x = 3})' --mu 'AF x = 3' --mu 'A[x < 3 U x = 3]' --mu 'AG AX true'
-- expect: violated mu "mu_0"
-- options: --mu 'E([] {x != 3})'
-- expect: violated mu "mu_1", trace 1
-- options: --mu 'EX {x = 2}' --mu 'AX {x = 2}'
-- expect: holds
-- options: --mu '[!Reset]{x != 0} && [Add(_) | Reset]{x != 0} && [!(Add & Add(2))]{x = 1}'
-- expect: rejected "the model has no rule `Ad`; did you mean `Add`?"
-- options: --mu '<Ad>true'
-- expect: rejected "`Add` has 1 parameter"
-- options: --mu '<Add(1,2)>true'
-- expect: rejected "stands under an odd number of negations"
-- options: --mu 'mu X. !X'
-- expect: rejected "y"
-- options: --mu 'EF {y = 0}'
-- expect: rejected "the model has no type `NODE`"
-- options: --mu 'forall n: NODE. <Add(n)>true'
-- expect: rejected "is an operator of LTL"
-- options: --mu '[] {x = 0}'
--
-- 0 goes to 1 and 2, 1 to 2 and 3, 2 to 3, and 3 back to 0.
var x: 0..3;

startstate x := 0; end;

ruleset d: 1..2 do
  rule "Add" x + d <= 3 ==> x := x + d; end;
end;

rule "Reset" x = 3 ==> x := 0; end;
