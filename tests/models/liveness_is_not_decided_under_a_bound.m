-- expect: inconclusive
-- options: --max-depth 2
-- What lies beyond a bound may be what fulfils the property, or what breaks it.
var x: 0..9;
startstate begin x := 0; end;
rule begin x := (x + 1) % 10; end;
liveness "comes back" x = 0;
