-- expect: holds, states 2
var
  b: boolean;
  u: 0..3;
startstate begin b := false; undefine u; end;
rule isundefined(u) | u = 3 ==> begin b := !b; end;
invariant (!isundefined(u) & u > 1) -> false;
