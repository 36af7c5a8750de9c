-- expect: holds-in-scope
-- options: --reduce symmetry --deadlock off
--
-- `clear` singles out one element, so the reduction is not sound here: forced on, it must not lead to "holds".
type Node: scalarset(3);
var owner: Node;
startstate begin undefine owner; end;
ruleset n: Node do rule "take" true ==> begin owner := n; end; end;
rule "reset" true ==> begin clear owner; end;
invariant "owned by somebody" isundefined(owner) | exists n: Node do owner = n end;
