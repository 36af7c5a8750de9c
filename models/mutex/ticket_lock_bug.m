-- expect: violated invariant "mutual exclusion"
--
-- A ticket lock whose ticket counter wraps too early: with as many tickets as processes everything is fine, with one
-- fewer two processes hold the same ticket. The seeded bug is the size of the counter.

const
  Processes: 3;
  Tickets: Processes - 1;

type
  Process: scalarset(Processes);
  Ticket: 0..Tickets - 1;
  Phase: enum { Idle, Waiting, Critical };

var
  next: Ticket;
  serving: Ticket;
  phase: array [Process] of Phase;
  ticket: array [Process] of Ticket;

startstate
begin
  next := 0;
  serving := 0;
  for p: Process do
    phase[p] := Idle;
    undefine ticket[p];
  end;
end;

ruleset p: Process do
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
  forall p: Process do forall q: Process do
    p != q -> !(phase[p] = Critical & phase[q] = Critical)
  end end;
