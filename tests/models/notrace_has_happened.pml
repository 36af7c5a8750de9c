// expect: violated trace "all events of the notrace have happened"
mtype = { a, b };
chan c = [2] of { mtype, byte };
notrace { c!a,1; c?a,_; c!b,2 }
active proctype A() { c!a,1; c!b,2 }
active proctype B() { c?_,_; c?_,_ }
