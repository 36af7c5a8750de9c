// expect: violated deadlock, trace 4
// options: --search 'astar(fsm())' --property deadlock
// expect: violated deadlock, trace 4
// options: --search 'astar(abstraction())'
// expect: violated deadlock, trace 4
// options: --search 'astar(abstraction(processes="Eater[0], Eater[1]"))'
// expect: violated deadlock, trace 4
// options: --search 'astar(formula(max))'
// expect: violated deadlock
// options: --search 'greedy(blocked())'
// expect: violated deadlock
// options: --search 'greedy(most-blocked())'
// expect: violated deadlock
// options: --search 'greedy(expr("taken[0] + taken[1] == 2"))'
// expect: violated deadlock
// options: --search 'greedy(sum(formula(), weighted(blocked, 3)))'

// Two who take one fork each and wait for the other one.
bool taken[2];

active [2] proctype Eater() {
end:
  do
  :: atomic { !taken[_pid] -> taken[_pid] = true };
     atomic { !taken[1 - _pid] -> taken[1 - _pid] = true };
     taken[_pid] = false;
     taken[1 - _pid] = false
  od
}
