-- expect: violated deadlock
--
-- The dining philosophers, all of them taking the left fork first: the classic deadlock is the seeded bug.

const N: 5;

type
  Seat: 0..N - 1;
  Phase: enum { Thinking, HasLeft, Eating };

var
  phase: array [Seat] of Phase;
  fork_taken: array [Seat] of boolean;  -- fork s lies left of seat s

startstate
begin
  for s: Seat do
    phase[s] := Thinking;
    fork_taken[s] := false;
  end;
end;

ruleset s: Seat do
  alias right: fork_taken[(s + 1) % N] do
    rule "take the left fork"
      phase[s] = Thinking & !fork_taken[s]
    ==>
    begin
      fork_taken[s] := true;
      phase[s] := HasLeft;
    end;

    rule "take the right fork"
      phase[s] = HasLeft & !right
    ==>
    begin
      right := true;
      phase[s] := Eating;
    end;

    rule "put both down"
      phase[s] = Eating
    ==>
    begin
      fork_taken[s] := false;
      right := false;
      phase[s] := Thinking;
    end;
  end;
end;

ruleset s: Seat do
  invariant "neighbours do not eat together"
    phase[s] = Eating -> phase[(s + 1) % N] != Eating;
end;
