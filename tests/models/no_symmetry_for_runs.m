-- expect: violated ltl, prints "symmetry is not used for properties of runs"
-- options: --ltl "<> [] exists p: Proc do holds[p] end"
-- expect: holds
-- options: --reduce none
type Proc: scalarset(3);
var holds: array [Proc] of boolean;

startstate for p: Proc do holds[p] := false; end; end;

ruleset p: Proc do
  rule "take" forall q: Proc do !holds[q] end ==> holds[p] := true; end;
  rule "give back" holds[p] ==> holds[p] := false; end;
end;
