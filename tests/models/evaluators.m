-- expect: violated invariant "not both at the end", trace 6
-- options: --search astar(formula(max))
-- expect: violated invariant "not both at the end", trace 6
-- options: --search astar(fsm())
-- expect: violated invariant "not both at the end", trace 6
-- options: --search astar(fsm(divided)) --engine native
-- expect: violated invariant "not both at the end", trace 6
-- options: --search astar(abstraction())
-- expect: violated invariant "not both at the end", trace 6
-- options: --search 'astar(abstraction(vars="place, lock", size=1k))'
-- expect: violated invariant "not both at the end", trace 6
-- options: --search 'astar(max(formula(max), fsm(divided), abstraction(size=500)))' --reduce none
-- expect: violated invariant "not both at the end", trace 6
-- options: --search 'astar(weighted(fsm(), 50%))'
-- expect: violated invariant "not both at the end"
-- options: --search greedy(formula())
-- expect: violated invariant "not both at the end"
-- options: --search 'greedy(sum(formula(), fsm(sum), blocked()))' --store fingerprint
-- expect: violated invariant "not both at the end"
-- options: --search 'greedy(expr("exists p: P do place[p] = far end"))'
-- expect: violated invariant "not both at the end"
-- options: --search greedy(hamming(evaluators_trace.json))
-- expect: violated invariant "not both at the end"
-- options: --search 'greedy(fsm(file="evaluators_trace.json"))' --reduce none
-- expect: violated invariant "not both at the end"
-- options: --search greedy(most-blocked())

-- Two agents on their ways of three steps; a third one only makes noise.
type
  P: 0..1;
  Place: enum { home, near, there, far };
var
  place: array [P] of Place;
  noise: 0..7;
  lock: boolean;

ruleset p: P do
  rule "leave" place[p] = home ==> begin place[p] := near; end;
  rule "go" place[p] = near ==> begin place[p] := there; end;
  rule "arrive" place[p] = there & !lock ==> begin place[p] := far; end;
  rule "return" place[p] != home ==> begin place[p] := home; end;
end;
rule "noise" begin noise := (noise + 1) % 8; end;
rule "lock" noise = 5 ==> begin lock := !lock; end;

startstate begin
  for p: P do place[p] := home; end;
  noise := 0;
  lock := false;
end;

invariant "not both at the end" !(place[0] = far & place[1] = far);
