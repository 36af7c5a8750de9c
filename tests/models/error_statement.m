-- expect: violated assertion "boom", trace 2
var x: 0..5;
startstate begin x := 0; end;
rule begin if x = 1 then error "boom"; end; x := x + 1; end;
