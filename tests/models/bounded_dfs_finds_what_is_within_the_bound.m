-- The example of Fig. 4 in Udupa, Desai, Rajamani (SPIN 2011): place 5 is three steps away, by way of 3 and 4, but a search
-- that first reaches 3 through 2 and does not come back to it ends at 4.
-- expect: violated invariant "not five", trace 3
-- options: --search bounded-dfs(bound=3,step=3)
-- expect: violated invariant "not five", trace 3
-- options: --search bounded-dfs(bound=3,step=3,revisit=depth,frontier=states) --engine native
-- expect: violated invariant "not five", trace 3
-- options: --search bounded-dfs(bound=3,step=2,frontier=traces) --store fingerprint
-- expect: inconclusive, states 4
-- options: --search bounded-dfs(bound=3,step=3,revisit=naive)
-- expect: holds-in-scope, states 4
-- options: --search bounded-dfs(bound=2)
var place: 1..5;
startstate begin place := 1; end;
rule place = 1 ==> begin place := 2; end;
rule place = 1 ==> begin place := 3; end;
rule place = 2 ==> begin place := 3; end;
rule place = 3 ==> begin place := 4; end;
rule place = 4 ==> begin place := 5; end;
invariant "not five" place != 5;
