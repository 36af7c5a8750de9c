-- expect: holds, states 3
-- An alias is bound when it is entered: changing the index afterwards does not move it.
var
  i: 0..2;
  a: array [0..2] of 0..1;
startstate begin i := 0; clear a; end;
rule i < 2 ==>
begin
  alias x: a[i] do
    i := i + 1;
    x := 1;
    assert a[i - 1] = 1;
    x := 0;
  end;
end;
rule i = 2 ==> begin i := 0; end;
