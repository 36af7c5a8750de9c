-- expect: holds-in-scope, states 4
-- options: --max-depth 3
-- expect: violated invariant "small", trace 5
var x: 0..9;
startstate begin x := 0; end;
rule begin x := (x + 1) % 10; end;
invariant "small" x < 5;
