-- expect: holds
-- options: --automaton alternating.hoa
-- expect: violated acceptance
-- options: --automaton alternating.hoa -D STAY=1
-- expect: violated acceptance
-- options: --automaton alternating.hoa -D STAY=1 --search scc
const STAY: 0;
type Colour: enum { red, green };
var light: Colour;
startstate light := red; end;
rule "turn green" light = red ==> light := green; end;
rule "turn red" light = green ==> light := red; end;
rule "stay red" light = red & STAY = 1 ==> end;
