// expect: violated deadlock, trace 6
// options: -D N=3
// expect: violated deadlock, trace 24
// options: -D N=12 --search 'astar(abstraction())'
// expect: violated deadlock, trace 60
// options: -D N=30 --search 'astar(abstraction())'
// expect: holds
// options: -D N=4 -D POLITE
//
// Dining philosophers. Each takes the fork on the left and then the one on the right; when all have taken one, nobody can go on.
// That takes N steps of two statements each, and the number of states nearly triples with each philosopher. With POLITE one of them takes the forks
// the other way round, and all is well.
#ifndef N
#define N 5
#endif

#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];

active [N] proctype Philosopher() {
  do
#ifdef POLITE
  :: _pid == 0 ->
     atomic { !taken[RIGHT] -> taken[RIGHT] = true };
     atomic { !taken[LEFT] -> taken[LEFT] = true };
     taken[RIGHT] = false;
     taken[LEFT] = false
  :: _pid > 0 ->
#else
  ::
#endif
     atomic { !taken[LEFT] -> taken[LEFT] = true };
     atomic { !taken[RIGHT] -> taken[RIGHT] = true };
     taken[LEFT] = false;
     taken[RIGHT] = false
  od
}
