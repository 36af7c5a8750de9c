-- An evaluator cannot know which element of a multiset an alias stands for, and does without.
-- expect: violated assertion "of the alias"
-- options: --search greedy(h=formula)
-- expect: violated assertion "of the alias"
-- options: --search astar(h=useless)
var net: multiset [2] of 0..3;
startstate end;
rule "send" multisetcount (m: net, true) < 2 ==> begin multisetadd (2, net); end;
choose m: net do
  alias message: net[m] do
    rule "receive" begin assert "of the alias" isundefined(message); end;
  end;
end;
