-- expect: violated deadlock, states 1
-- options: --dialect cmurphi
-- expect: violated run-time error
-- options: --dialect rumur
-- The dialects disagree about `a := b` with b undefined.
var a, b: 0..3;
startstate begin undefine a; undefine b; end;
rule begin a := b; end;
