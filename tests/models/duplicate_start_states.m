-- expect: holds, states 2, transitions 2
-- Two start states that are equal count once.
var b: boolean;
startstate "one" begin b := true; end;
startstate "two" begin b := true; end;
rule begin b := !b; end;
