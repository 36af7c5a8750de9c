-- expect: violated ltl
-- The lock is free again and again, but the second process is never the one to take it.
-- options: --ltl "<> owner = 2"
-- expect: violated ltl
-- options: --ltl "<> owner = 2" --fair
-- expect: holds
-- options: --ltl "<> owner = 2" --strong-fair take
-- expect: holds
-- options: --ltl "<> owner = 2" --strong-fair take --fair
-- expect: violated ltl
-- options: --ltl "<> owner = 2" --strong-fair release
type Proc: 1 .. 2;
var owner: 0 .. 2;

startstate owner := 0; end;

ruleset p: Proc do
  rule "take" owner = 0 ==> owner := p; end;
  rule "release" owner = p ==> owner := 0; end;
end;
