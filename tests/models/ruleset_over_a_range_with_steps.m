-- expect: holds, states 3, transitions 9
var x: 0..4;
startstate begin x := 0; end;
ruleset i := 0 to 4 by 2 do
  rule begin x := i; end;
end;
