// expect: violated assertion, states 10
// options: --no-optimise --reduce none --keep-going
//
// What Spin takes without a word or with a warning: constants of a named mtype in a plain one, `x[0]` of a variable that is
// no array, an array as long as a variable that begins with 0 (8), 0 for no channel, and a parameter in `provided`.
mtype:colour = { red, green };
mtype = { big };
mtype any = red;
typedef Pair { mtype:colour first; byte second };
Pair pair;
int length;
byte eight[length];
bool go[2];
chan none = 0;

proctype Waits(byte i) provided (go[i]) { assert(eight[7] == 0) }

active proctype P() {
  any = big;
  pair[0].first = big;
  pair.second[0] = 1;
  eight[7] = 1;
  run Waits(1);
  go[1] = true
}
