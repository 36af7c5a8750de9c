// expect: violated run-time error
// options: --property ltl
// expect: violated run-time error
// options: --property ltl --max-depth 10
// expect: violated run-time error
// options: --property ltl --max-depth 10 --keep-going
// expect: violated run-time error
// options: --property ltl --reduce por
// The claim loses interest once x is 1, but a model that goes wrong never holds.
byte x, y, z;
active proctype P() { x = 1; y = 4 / z }
ltl sooner_or_later { <> (x == 1) }
