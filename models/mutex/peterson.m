-- expect: holds, states 5744, transitions 15848
-- options: --reduce none
-- expect: holds
--
-- Peterson's algorithm for N threads (the filter lock): a thread climbs N - 1 levels, and at each level the thread
-- that arrived last waits while another is at the same level or above.

const N: 4;

type
  Thread: scalarset(N);
  Level: 0..N - 1;
  Phase: enum { Idle, Yield, Wait, Critical };

var
  phase: array [Thread] of Phase;
  level: array [Thread] of Level;
  last: array [Level] of Thread;

startstate "all idle"
begin
  for p: Thread do
    phase[p] := Idle;
    level[p] := 0;
  end;
  undefine last;
end;

ruleset p: Thread do
  rule "start"
    phase[p] = Idle
  ==>
  begin
    level[p] := 1;
    phase[p] := Yield;
  end;

  rule "let others go first"
    phase[p] = Yield
  ==>
  begin
    last[level[p]] := p;
    phase[p] := Wait;
  end;

  rule "climb"
    phase[p] = Wait
    & ((forall q: Thread do q = p | level[q] < level[p] end) | last[level[p]] != p)
  ==>
  begin
    if level[p] < N - 1 then
      level[p] := level[p] + 1;
      phase[p] := Yield;
    else
      phase[p] := Critical;
    end;
  end;

  rule "leave"
    phase[p] = Critical
  ==>
  begin
    level[p] := 0;
    phase[p] := Idle;
  end;
end;

invariant "mutual exclusion"
  forall p: Thread do forall q: Thread do
    p != q -> !(phase[p] = Critical & phase[q] = Critical)
  end end;

liveness "somebody can always enter"
  exists p: Thread do phase[p] = Critical end;
