-- expect: violated liveness "comes back", trace 3
-- options: --search biased-bfs --mark up
-- expect: violated liveness "comes back"
-- options: --search biased-dfs --mark up
-- expect: violated liveness "comes back"
-- options: --search 'context-bounded(20)'
-- Once in 3 or 4 there is no way back to 0.
var x: 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "back from the end" x = 4 ==> begin x := 3; end;
rule "down" x > 0 & x < 3 ==> begin x := x - 1; end;
liveness "comes back" x = 0;
