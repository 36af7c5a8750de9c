// expect: violated invariant "the goal is never reached", prints "the run costs 7; no run costs less"
// options: --property goal --search dijkstra
// expect: violated invariant "the goal is never reached", prints "the run costs 7; no run costs less"
// options: --property goal --search 'branch-and-bound(fsm())'
// expect: violated invariant "the goal is never reached", prints "the run costs 7; no run costs less"
// options: --property goal --search 'astar(abstraction())'
// expect: violated invariant "the goal is never reached", prints "the run costs 11; no run costs less"
// options: --goal 'place == 2 && tolls == 0' --search dijkstra
// expect: holds
// options: --goal 'place == 2 && tolls > 3' --search dijkstra
// expect: violated deadlock
// options: --property deadlock
//@ goal place == 2
byte place, tolls;

active proctype Courier() {
  do
  :: place == 0 -> place = 1 /*@ cost 2 */
  :: place == 1 ->
     //@ cost 9
     place = 2
  :: place == 1 && tolls < 3 -> tolls++; place = 2 /*@ cost 5 */
  :: place == 1 -> break  // lost: nobody leaves from here
  :: place == 2 -> break
  od;
  place == 3
}
