-- expect: holds, states 8, transitions 24
-- options: --reduce none
-- expect: holds, states 4
-- options: --reduce symmetry
-- Which of the three bits are set does not matter under symmetry, only how many.
type Index: scalarset(3);
var bits: array [Index] of boolean;
startstate begin for i: Index do bits[i] := false; end; end;
ruleset i: Index do
  rule begin bits[i] := !bits[i]; end;
end;
