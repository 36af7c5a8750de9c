-- expect: rejected
var counter: 0..3;
startstate begin countr := 0; end;
rule begin counter := 1; end;
