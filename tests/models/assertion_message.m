-- expect: violated assertion "too far", trace 3
var x: 0..5;
startstate begin x := 0; end;
rule x < 5 ==> begin assert x != 2 "too far"; x := x + 1; end;
