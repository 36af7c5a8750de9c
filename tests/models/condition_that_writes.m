-- expect: violated assertion "two", trace 2
-- options: --search beam(formula(),10) --deadlock off
-- expect: violated assertion "two", trace 2
-- options: --search astar(formula(max)) --deadlock off --reduce none
-- expect: violated assertion "two"
-- options: --search greedy(formula()) --deadlock off
-- expect: holds
-- options: --search greedy(formula()) --deadlock off -D Limit=3
--
-- A function that is called in a condition of a rule may write. An estimate of how far the assertion is asks for the
-- condition, and must leave the state as it is.
const Limit: 2;
var x: 0..5; calls: 0..5;

function Take(): boolean; begin
  if x < 2 then x := x + 1; end;
  return x = Limit;
end;

startstate begin x := 0; calls := 0; end;

rule "take" calls < 3 ==> begin
  calls := calls + 1;
  if Take() then error "two"; end;
end;
rule "nothing" calls < 3 ==> begin calls := calls + 1; end;
