-- States of more than a kilobyte, a few million of them.
const N: 300;
var a: array [0..N-1] of 0..1000000000; c: array [0..7] of 0..6;
ruleset i: 0..7 do rule "more" c[i] < 6 ==> begin
  c[i] := c[i] + 1; for j: 0..N-1 do a[j] := c[j % 8] * 7 + j; end; end; end;
startstate begin clear a; clear c; end;
