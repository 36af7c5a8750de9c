// expect: holds
mtype = { a, b };
chan c = [1] of { mtype };
chan d = [1] of { mtype };
trace { if :: c!a; d!a :: d!b; c!b fi }
active proctype A() { mtype x; if :: x = a; c!x; d!x :: x = b; d!x; c!x fi }
