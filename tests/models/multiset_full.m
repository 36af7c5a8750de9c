-- expect: violated run-time error
var m: multiset [1] of boolean;
startstate begin MultiSetRemovePred(i: m, true); end;
rule begin MultiSetAdd(true, m); end;
