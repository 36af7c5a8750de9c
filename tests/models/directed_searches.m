-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search dijkstra
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'weighted-astar(zero, 150%)' --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'greedy(zero, open=lifo)' --keep-going
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'greedy(marked, open=alternation)' --mark fill --keep-going --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'greedy(zero, open=type-based)' --store fingerprint
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'greedy(zero, open=epsilon, epsilon=50%)' --seed 7 --engine native
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'k-best(zero, 4)'
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'idastar(zero)' --reduce none --store fingerprint
-- expect: violated invariant "not all full", trace 6, states 10
-- options: --deadlock off --search 'branch-and-bound(zero)'
-- expect: violated invariant "not all full", trace 6, states 27
-- options: --deadlock off --search 'refined-bound(zero)' --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'beam(zero, 3)'
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'beam(zero, 1, ties=keep)' --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'priority-beam(zero, steps=2, levels=1)'
-- expect: violated invariant "not all full", trace 6, states 6
-- options: --deadlock off --search nearest-neighbour --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'beam-dijkstra(zero, 2)' --engine native
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'broadening(zero, 1, 2)'
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search frontier
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'frontier(locality=1)' --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'bfhs(zero, locality=1)' --reduce none
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'beam-stack(zero, 2)'
-- expect: violated invariant "not all full", trace 6
-- options: --deadlock off --search 'memory-limited-astar(zero, 12)' --reduce none
-- expect: holds-in-scope, prints "every state within 4 steps"
-- options: --deadlock off --search 'frontier' --max-depth 4
-- expect: holds-in-scope, prints "every state within 4 steps"
-- options: --deadlock off --search 'branch-and-bound(zero)' --max-depth 4
-- Every search for violations, on a model in which all runs to the violation are equally long.
type
  id: scalarset(3);
var
  level: array [id] of 0..2;

startstate begin
  for i: id do level[i] := 0; end;
end;

ruleset i: id do
  rule "fill" level[i] < 2 ==> begin level[i] := level[i] + 1; end;
end;

invariant "not all full" exists i: id do level[i] != 2 end;
