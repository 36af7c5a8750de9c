// expect: violated trace "`c!b` is not what the trace expects here"
mtype = { a, b };
chan c = [2] of { mtype };
trace { end: do :: c!a; c!b od }
active proctype A() { c!a; c!b; c!b }
active proctype B() { end: do :: c?_ od }
