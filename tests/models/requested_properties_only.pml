// expect: violated assertion, trace 1
// options: --property assertions
// expect: violated deadlock, trace 1
// options: --property deadlock
// expect: violated assertion, states 2, transitions 1
// options: --keep-going
chan c = [0] of { byte };
active proctype P() { assert(len(c) == 1); c!1 }
