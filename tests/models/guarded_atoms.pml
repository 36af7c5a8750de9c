// What a guard in a formula protects is not read, as in Spin.
// expect: holds
// options: --property ltl:guarded
// expect: holds
// options: --property ltl:guarded --search l2s
// expect: violated ltl "wrong"
// options: --property ltl:wrong
// expect: violated run-time error, prints "index 2 is outside 0..1"
// options: --property ltl:unguarded
byte a[2];
byte i;
active proctype P() { i = 1; i = 2; i = 0 }
ltl guarded { [] (i < 2 -> a[i] == 0) && [] (i >= 2 || a[i] == 0) && <> (i == 1 && a[i] == 0) }
ltl wrong { [] (i < 2 -> a[i] == 0) && [] (i < 2) }
ltl unguarded { [] (a[i] == 0) }
