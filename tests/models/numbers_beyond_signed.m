-- expect: holds, states 2, transitions 2
-- options: --dialect rumur
-- expect: holds, states 2, transitions 2
-- options: --dialect cmurphi --engine native
-- expect: rejected "cannot be replaced by -1"
-- options: -D low=-1
-- A number of 2^63 or more makes all numbers of the model unsigned.
const low: 0;
var x: low .. 0xfffffffffffffffe;
startstate begin x := low; end;
rule begin x := 0xfffffffffffffffe - x; end;
invariant x = 0 | x > 9223372036854775808;
