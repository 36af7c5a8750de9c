// expect: violated run-time error "no room for another process"
// options: --search dfs --reduce por
// expect: violated run-time error "no room for another process"
// options: --search bfs --reduce none
// Each process ends before the next one is created, and it may be long until it is removed.
chan c = [0] of { byte };
proctype P() { c!1 }
init { do :: run P(); c?_ od }
