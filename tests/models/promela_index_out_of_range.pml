// expect: violated run-time error "in `a[i]`", trace 5
byte a[2], i;
active proctype P() { do :: a[i] = 1; i++ od }
