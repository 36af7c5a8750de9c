// expect: rejected "`enabled` cannot be used in a model with rendezvous channels"
chan q = [0] of { byte };
active proctype A() { q?1 }
active proctype B() { enabled(0) -> skip }
active proctype C() { q!1 }
