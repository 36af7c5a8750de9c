-- expect: holds, prints "symmetry is not used"
-- options: --mu 'forall n: NODE. AG ({has[n]} -> <Drop(n)>true)'
-- expect: violated mu "mu_0", trace 1
-- options: --mu 'AG forall n: NODE. <Take(n)>true'
-- expect: holds
-- options: --mu 'forall n: NODE. EF {has[n] & phase = busy} && forall p: Phase. EF {phase = p}'
-- expect: violated mu "mu_0"
-- options: --mu 'exists n: NODE. AG !{has[n]}'
-- expect: holds
-- options: --mu 'forall n: NODE. forall m: NODE. {n = m} || [Take(n)][Take(m)]false'
--
-- Two nodes, of which one at a time can have it.
type
  NODE: scalarset(2);
  Phase: enum {idle, busy};

var
  has: array [NODE] of boolean;
  phase: Phase;

startstate
  for n: NODE do has[n] := false; end;
  phase := idle;
end;

ruleset n: NODE do
  rule "Take" phase = idle ==> has[n] := true; phase := busy; end;
  rule "Drop" has[n] ==> has[n] := false; phase := idle; end;
end;
