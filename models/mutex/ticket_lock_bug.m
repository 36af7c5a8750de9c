-- expect: violated invariant "mutual exclusion"
--
-- A ticket lock whose ticket counter wraps too early: with as many tickets as threads everything is fine, with one
-- fewer two threads hold the same ticket. The seeded bug is the size of the counter.

const
  Threads: 3;
  Tickets: Threads - 1;

type
  Thread: scalarset(Threads);
  Ticket: 0..Tickets - 1;
  Phase: enum { Idle, Waiting, Critical };

var
  next: Ticket;
  serving: Ticket;
  phase: array [Thread] of Phase;
  ticket: array [Thread] of Ticket;

startstate
begin
  next := 0;
  serving := 0;
  for p: Thread do
    phase[p] := Idle;
    undefine ticket[p];
  end;
end;

ruleset p: Thread do
  rule "take a ticket"
    phase[p] = Idle
  ==>
  begin
    ticket[p] := next;
    next := (next + 1) % Tickets;
    phase[p] := Waiting;
  end;

  rule "enter"
    phase[p] = Waiting & ticket[p] = serving
  ==>
  begin
    phase[p] := Critical;
  end;

  rule "leave"
    phase[p] = Critical
  ==>
  begin
    serving := (serving + 1) % Tickets;
    phase[p] := Idle;
    undefine ticket[p];
  end;
end;

invariant "mutual exclusion"
  forall p: Thread do forall q: Thread do
    p != q -> !(phase[p] = Critical & phase[q] = Critical)
  end end;
