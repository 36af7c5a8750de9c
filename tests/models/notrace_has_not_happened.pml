// expect: holds
mtype = { a, b };
chan c = [2] of { mtype };
notrace { c!a; c!b; c!a }
active proctype A() { c!a; c!b }
