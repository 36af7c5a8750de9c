// expect: holds, states 7, transitions 8
// options: --no-optimise --reduce none --keep-going -D N=2
// expect: rejected "say how many"
#ifndef N
#error say how many
#endif
active [N] proctype P() { skip }
