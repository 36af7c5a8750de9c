-- expect: holds, states 3
-- options: --dialect rumur
var x: 0..2;
startstate begin x ≔ 0; end;
rule x ≥ 0 ∧ ¬(x > 2) ∨ x ≠ x ==> begin x := (x + 1) % 3; end;
invariant ∀ i: 0..2 do i ≤ 2 end → x ≤ 2;
