-- expect: holds, states 2
type Colour: enum { red, green };
var
  n: -2..2;
  c: Colour;
  b: boolean;
startstate begin clear n; clear c; clear b; end;
rule "flip" begin b := !b; end;
invariant n = -2 & c = red;
