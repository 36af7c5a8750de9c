-- expect: holds, states 4
-- options: --deadlock off
--
-- An assumption that fails while an invariant is evaluated excludes the state from that invariant.
var x: 0..3;

function small(): boolean;
begin
  assume x < 2;
  return x < 2;
end;

startstate begin x := 0; end;
rule "count" x < 3 ==> begin x := x + 1; end;
invariant "small where it is assumed" small();
