-- expect: holds
-- options: --ltl "[] (light = red -> <> light = green)"
-- expect: violated ltl "ltl_0"
-- options: --ltl "<> [] light = red"
-- expect: violated ltl "ltl_0"
-- options: --ltl "<> [] light = red" --search scc
-- expect: violated ltl "ltl_0", trace 4
-- options: --ltl "<> [] light = red" --search l2s
-- expect: holds
-- options: --ltl "[] {light = red -> n < 3}" --ltl "[] <> (n = 0)" --property ltl
-- expect: holds
-- options: --ltl "[] (light = red -> X light = green)" --engine interpret
-- expect: rejected "pink"
-- options: --ltl "[] (light = pink)"
-- expect: rejected "operand is missing"
-- options: --ltl "[] light = red &&"
-- expect: rejected "must be a boolean"
-- options: --ltl "[] (n U light = red)"
-- expect: violated non-progress
-- options: --progress "never"
-- expect: holds
-- options: --progress "turn green, turn yellow"
-- expect: holds
-- options: --progress "turn green" --property non-progress --search "ndfs(variant=direct)"
-- expect: violated non-progress
-- options: --progress never --property non-progress --search "ndfs(variant=direct)"
-- expect: violated non-progress, trace 4
-- options: --progress never --property non-progress --search l2s
type Colour: enum { red, green, yellow };
var
  light: Colour;
  n: 0 .. 2;

startstate
  light := red;
  n := 0;
end;

rule "turn green" light = red ==> light := green; n := 1; end;
rule "turn yellow" light = green ==> light := yellow; n := 2; end;
rule "turn red" light = yellow ==> light := red; n := 0; end;
rule "never" light = red & n = 2 ==> clear light; end;
