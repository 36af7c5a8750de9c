-- expect: holds-in-scope, states 5, prints "at most 0 switches"
-- options: --search 'context-bounded(0)' --deadlock off
-- expect: holds-in-scope, states 14, prints "at most 2 switches"
-- options: --search 'context-bounded(2)' --deadlock off
-- expect: violated invariant "never five", trace 5
-- options: --search 'context-bounded(3)' --deadlock off
-- expect: violated invariant "never five", trace 5
-- options: --search 'context-bounded(3)' --deadlock off --reduce none --engine native
-- expect: violated invariant "never five", trace 5
-- options: --search biased-dfs --mark step --deadlock off
-- The fifth step comes last in a run of turns 1, 2, 1, 2: three switches.
type pid: scalarset(2);
var steps: array [pid] of 0..4; turn: pid; back: boolean; count: 0..5;
startstate begin undefine turn; for p: pid do steps[p] := 0; end; back := false; count := 0; end;
ruleset p: pid do
  rule "step" count < 4 | (count = 4 & back & !isundefined(turn) & turn != p) ==>
  begin
    if count = 4 then count := 5; else
      back := back | (steps[p] > 0 & turn != p);
      steps[p] := steps[p] + 1;
      count := count + 1;
      turn := p;
    end;
  end;
end;
invariant "never five" count < 5;
