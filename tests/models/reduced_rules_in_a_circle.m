-- expect: holds, states 64
-- options: --deadlock off --search dfs --reduce none
-- expect: holds, states 16, transitions 18
-- options: --deadlock off --search dfs --reduce por
-- expect: violated invariant "never all at once"
-- options: --deadlock off --search dfs --reduce por -D LAST=3
--
-- Three wheels that turn for ever and have nothing to do with each other. A wheel that is taken first comes back to where it
-- began; there, and only there, the others get their turn.

const
  LAST: 4;

type
  Wheel: 0..2;

var
  at: array [Wheel] of 0..3;

startstate
begin
  for w: Wheel do at[w] := 0; end;
end;

ruleset w: Wheel do
  rule "turn" at[w] < 3 ==> begin at[w] := at[w] + 1; end;
  rule "back" at[w] = 3 ==> begin at[w] := 0; end;
end;

invariant "never all at once"
  LAST < 4 -> !(at[0] = LAST & at[1] = LAST & at[2] = LAST);
