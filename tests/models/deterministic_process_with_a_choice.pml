// expect: violated run-time error "`P` must be deterministic", states 5, transitions 4
// options: --no-optimise --reduce none --keep-going
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi }
