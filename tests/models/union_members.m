-- expect: holds, states 4
-- options: --reduce none
type
  Client: scalarset(2);
  Place: enum { Home };
  Node: union { Client, Place };
var owner: Node;
startstate begin owner := Home; end;
ruleset n: Node do
  rule begin owner := n; end;
end;
rule !isundefined(owner) & ismember(owner, Client) ==> begin undefine owner; end;
rule isundefined(owner) ==> begin owner := Home; end;
