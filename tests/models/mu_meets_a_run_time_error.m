-- expect: violated run-time error
-- options: --property mu --mu 'EF {x = 2}'
-- expect: violated run-time error
-- options: --property mu --mu 'EF {10 / x = 3}'
--
-- A model that goes wrong never holds, though the formula does; and a condition may go wrong as well.
var x: 0..3;

startstate x := 0; end;

rule "Up" x < 3 ==> x := x + 1; end;
rule "Over" x = 3 ==> x := x + 1; end;
