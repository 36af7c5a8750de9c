// expect: violated deadlock, trace 12
// options: -D N=3 --search 'astar(abstraction())'
// expect: violated deadlock, trace 24
// options: -D N=6 --search 'astar(abstraction())'
// expect: violated deadlock, trace 32
// options: -D N=8 --search 'astar(abstraction())'
//
// An optical telegraph: N stations on hills around a country, each with one set of arms and two operators. The one who sends
// takes the arms, raises them for the attention of the next station, and waits for its answer; the one who receives sees the attention of
// the station before, and needs the arms of its own station to answer it. A message is two signals and a farewell, and then
// both stations put their arms down.
//
// When every station has asked for attention and has seen that of its neighbour, all arms are up and nobody can answer. That
// takes 3 N steps: of each sender two (one of them with two statements), of each receiver one.
#ifndef N
#define N 4
#endif

mtype = { attention, ready, signal, farewell };

bool up[N];                        // the arms of a station are
chan ahead[N] = [1] of { mtype };  // from station i to the next one
chan back[N] = [1] of { mtype };   // its answers

#define HERE _pid
active [N] proctype Sender() {
  byte left;
  do
  :: atomic { !up[HERE] -> up[HERE] = true };
     ahead[HERE]!attention;
     back[HERE]?ready;
     left = 2;
     do
     :: left > 0 -> ahead[HERE]!signal; back[HERE]?ready; left--
     :: else -> break
     od;
     ahead[HERE]!farewell;
     up[HERE] = false
  od
}

#undef HERE
#define HERE (_pid - N)
#define BEFORE ((_pid - 1) % N)
active [N] proctype Receiver() {
  do
  :: ahead[BEFORE]?attention;
     atomic { !up[HERE] -> up[HERE] = true };
     back[BEFORE]!ready;
     do
     :: ahead[BEFORE]?signal -> back[BEFORE]!ready
     :: ahead[BEFORE]?farewell -> break
     od;
     up[HERE] = false
  od
}
