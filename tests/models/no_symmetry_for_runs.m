-- expect: violated ltl, prints "symmetry is not used for properties of runs"
-- options: --ltl "<> [] exists p: Process do holds[p] end"
-- expect: holds
-- options: --reduce none
type Process: scalarset(3);
var holds: array [Process] of boolean;

startstate for p: Process do holds[p] := false; end; end;

ruleset p: Process do
  rule "take" forall q: Process do !holds[q] end ==> holds[p] := true; end;
  rule "give back" holds[p] ==> holds[p] := false; end;
end;
