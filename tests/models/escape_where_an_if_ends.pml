// Where the branches of an `if` meet inside an atomic, escapes are not looked at; Spin has the same counts.
// expect: violated deadlock, states 36, transitions 82
// options: --no-optimise --reduce none --keep-going
bool set = 1;
chan line = [0] of { byte };
active [2] proctype reader() { skip; line?1 }
active proctype writer() { do :: line!set od }
active proctype guarded() { { atomic { if :: set = 1; line?1 fi } } unless { line!1 } }
