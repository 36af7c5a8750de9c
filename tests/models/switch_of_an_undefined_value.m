-- expect: holds, states 2
-- options: --dialect cmurphi
-- expect: violated run-time error, trace 1
-- options: --dialect rumur
-- CMurphi does not ask whether a scalarset or union value is defined before it compares it, in `switch` as in `=`.
type Node: scalarset(2); Home: enum {home}; Any: union {Node, Home};
var owner: Any; found: boolean;
startstate begin found := false; end;
rule begin
  switch owner
  case home: error "an undefined value equals nothing";
  else found := !found;
  end;
end;
