-- From every state x can come back to 0, until the model is left through 9.
-- expect: violated liveness "back", states 10
-- options: --search bounded-dfs(step=2)
-- expect: holds
-- options: --search bounded-dfs(step=2) --property invariants
var x: 0..9;
startstate begin x := 0; end;
rule x < 9 ==> begin x := x + 1; end;
rule x = 9 ==> begin x := 8; end;
rule x < 8 ==> begin x := 0; end;
rule x = 8 ==> begin x := 9; end;
invariant "in range" x <= 9;
liveness "back" x = 0;
