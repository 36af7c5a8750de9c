-- expect: violated invariant "the goal is never reached", trace 11, prints "the run costs 24; no run costs less"
-- options: --property goal --search dijkstra
-- expect: violated invariant "the goal is never reached", trace 11, prints "the run costs 24; no run costs less"
-- options: --property goal --search 'astar(abstraction())'
-- expect: violated invariant "the goal is never reached", prints "the run costs 24; no run costs less"
-- options: --property goal --search 'branch-and-bound(zero)'
-- expect: violated invariant "the goal is never reached", prints "the run costs 24; no run costs less"
-- options: --property goal --search 'refined-bound(zero)'
-- expect: violated invariant "the goal is never reached", prints "the run costs 24; a cheaper one may exist"
-- options: --property goal --search 'beam(zero, 20)'
-- expect: inconclusive, prints "the search is not exhausted"
-- options: --property goal --search nearest-neighbour
-- expect: holds
-- options: --goal 'delivered = Orders & tank[1] = A & tank[2] = A & reactor = Charged' --search dijkstra
-- expect: violated deadlock
-- options: --property deadlock
--
-- A batch plant with two tanks and one reactor. Each delivery needs a charge of A, then one of B, and the reactor has to
-- be cleaned between two deliveries: quickly, if both tanks are empty, or thoroughly. Not every run ends with the
-- deliveries made: with A in the reactor and A in both tanks, nothing goes on, nor with B in both, and who always takes
-- the cheapest step ends there.
--
-- One delivery costs 2 + 3 + 1 + 4 + 1 = 11 at least, and between two of them the quick cleaning costs 2: the optimum
-- for two deliveries is 24.

--@ goal delivered = Orders
--@ progress delivered

const Orders: 2;

type
  Tank: 1..2;
  Content: enum { Empty, A, B };
  Stage: enum { Clean, Charged, Product, Dirty };

var
  tank: array [Tank] of Content;
  reactor: Stage;
  delivered: 0..Orders;

startstate begin
  for t: Tank do tank[t] := Empty; end;
  reactor := Clean;
  delivered := 0;
end;

ruleset t: Tank do
  --@ cost 2
  rule "load A" tank[t] = Empty & delivered < Orders ==> begin tank[t] := A; end;

  --@ cost 3
  rule "load B" tank[t] = Empty & delivered < Orders ==> begin tank[t] := B; end;

  --@ cost 1
  rule "charge" tank[t] = A & reactor = Clean ==> begin tank[t] := Empty; reactor := Charged; end;

  --@ cost 4
  rule "react" tank[t] = B & reactor = Charged ==> begin tank[t] := Empty; reactor := Product; end;
end;

--@ cost 1
rule "deliver" reactor = Product ==> begin reactor := Dirty; delivered := delivered + 1; end;

--@ cost 5
rule "clean" reactor = Dirty & delivered < Orders ==> begin reactor := Clean; end;

--@ cost 2
rule "clean quickly"
  reactor = Dirty & delivered < Orders & forall t: Tank do tank[t] = Empty end
==>
begin reactor := Clean; end;
