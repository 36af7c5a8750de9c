-- expect: violated invariant "below", trace 2
var x: 0..3;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
ruleset limit: 2..3 do
  invariant "below" x < limit
end;
