// expect: violated run-time error "no room for another process"
proctype P() { end: false }
init { do :: run P() od }
