// expect: rejected "cannot be used in a model with rendezvous channels"
chan q = [0] of { byte };
active proctype A() priority 2 { q!1 }
active proctype B() priority 1 { q?1 }
