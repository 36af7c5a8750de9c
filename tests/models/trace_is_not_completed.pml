// expect: violated deadlock
mtype = { a, b };
chan c = [2] of { mtype };
trace { c!a; c!b }
active proctype A() { c!a }
active proctype B() { end: do :: c?_ od }
