-- expect: holds, states 2
type R: record a: 0..1; b: boolean; end;
var r: R;
startstate begin undefine r; end;
rule isundefined(r.a) ==> begin r.a := 1; end;
rule !isundefined(r.a) ==> begin undefine r; end;
