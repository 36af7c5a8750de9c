-- expect: holds, states 2, prints "hello"
var b: boolean;
startstate begin b := false; end;
rule begin put "hello"; put b; b := !b; end;
