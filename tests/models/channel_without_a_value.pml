// expect: violated run-time error "`c` is no channel that fits here", trace 1
chan q = [1] of { byte };
chan c;
active proctype P() { if :: c!1 :: c = q; c!1 fi }
