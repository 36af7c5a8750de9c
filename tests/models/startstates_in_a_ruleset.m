-- expect: holds, states 4, transitions 4
var x: 0..3;
ruleset i: 0..3 do
  startstate begin x := i; end;
end;
rule begin x := (x + 1) % 4; end;
