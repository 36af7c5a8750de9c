-- expect: holds, states 6
-- options: --reduce none
-- Up to two elements of two values: {}, {a}, {b}, {a,a}, {a,b}, {b,b}, whatever the order of adding.
type Value: enum { a, b };
var m: multiset [2] of Value;
startstate begin MultiSetRemovePred(i: m, true); end;
ruleset v: Value do
  rule MultiSetCount(i: m, true) < 2 ==> begin MultiSetAdd(v, m); end;
end;
choose i: m do
  rule "remove" begin MultiSetRemove(i, m); end;
end;
