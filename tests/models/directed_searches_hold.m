-- expect: holds, states 20, transitions 40
-- options: --search 'weighted-astar(zero, 3)'
-- expect: holds, states 20, transitions 40
-- options: --search 'k-best(zero, 3)' --reduce none
-- expect: holds, states 20, transitions 40
-- options: --search 'greedy(zero, open=type-based)' --reduce none
-- expect: holds, states 20
-- options: --search 'idastar(zero)'
-- expect: holds, states 20, transitions 40
-- options: --search 'branch-and-bound(zero)'
-- expect: holds, states 20
-- options: --search 'refined-bound(zero)'
-- expect: holds, states 20, transitions 40
-- options: --search 'beam(zero, 100)'
-- expect: inconclusive, prints "the search is not exhausted"
-- options: --search 'beam(zero, 2)'
-- expect: inconclusive, prints "the search is not exhausted"
-- options: --search 'priority-beam(zero, 1)'
-- expect: inconclusive, prints "the search is not exhausted"
-- options: --search nearest-neighbour
-- expect: inconclusive, prints "the search is not exhausted"
-- options: --search 'beam-dijkstra(zero, 1)'
-- expect: holds, states 20
-- options: --search 'broadening(zero, 1)'
-- expect: holds, states 20, transitions 40
-- options: --search frontier
-- expect: holds, prints "the locality is larger than that"
-- options: --search 'frontier(locality=1)'
-- expect: holds, states 20, transitions 40
-- options: --search 'frontier(locality=8)'
-- expect: holds, states 20
-- options: --search 'bfhs(zero)'
-- expect: holds
-- options: --search 'beam-stack(zero, 6)'
-- expect: holds, states 20
-- options: --search 'memory-limited-astar(zero, 30)'
-- expect: inconclusive, prints "longer runs had to be given up"
-- options: --search 'memory-limited-astar(zero, 4)'
-- Nothing is wrong here, and the way back from the last state to the first is long.
var a: 0..3; b: 0..4;
startstate begin a := 0; b := 0; end;
rule "a" begin a := (a + 1) % 4; end;
rule "b" begin b := (b + 1) % 5; end;
invariant "never both" !(a = 3 & b = 5 - 1 & a = b);
