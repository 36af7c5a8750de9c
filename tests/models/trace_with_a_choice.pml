// expect: violated run-time error "`trace` must be deterministic"
mtype = { a, b };
chan c = [1] of { mtype };
trace { if :: c!a; c!a :: c!a; c!b fi }
active proctype A() { c!a }
