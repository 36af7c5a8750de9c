// expect: holds
mtype = { a, b };
chan c = [0] of { mtype, byte };
trace { c!a,1; c?a,_; c!b,_; c?b,2 }
active proctype A() { c!a,1; c!b,2 }
active proctype B() { c?_,_; c?_,_ }
