-- expect: violated liveness "comes back"
-- expect: violated liveness "comes back"
-- options: --search dfs
-- expect: violated liveness "comes back"
-- options: --search bounded-dfs
-- expect: violated liveness "comes back"
-- options: --search biased-dfs --mark "Rule 1" --shorten off
-- Once in 3 or 4 there is no way back to 0.
var x: 0..4;
startstate begin x := 0; end;
rule x < 4 ==> begin x := x + 1; end;
rule x = 4 ==> begin x := 3; end;
rule x > 0 & x < 3 ==> begin x := x - 1; end;
liveness "comes back" x = 0;
