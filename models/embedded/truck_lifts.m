-- expect: holds
-- options: -D Lifts=2
--
-- Lifts for trucks: one lift at each wheel, all to be moved together, each with buttons and a computer of its own, joined by
-- a bus on which they take turns (the system is that of Groote, Pang and Wouters, Analysis of a distributed system for
-- lifting trucks, 2003; the model is ours, and much smaller).
--
-- A lift whose button is pressed leads: it announces its direction when its turn comes, and the others make ready for it
-- and say so when it is their turn. When the leader has heard that of all it sends `sync`, and every lift that hears it,
-- itself included, moves by one unit. A leader that was released announces `standby`. Every message is heard by all
-- before the next one is sent. People are slow: at most one button changes in a turn.
--
-- As in the first version of the real system, something is wrong, and no state shows it: both flaws are properties of
-- runs, for breadth-bounded search to find (benchmarks/papers/highway.py).
--   I   a lift moves up although nobody has pressed an up button: a lift whose button is pressed while a message is on
--       its way sets its direction only with its own turn; if that message makes it give way, it is ready with the
--       direction it had before, which is up when the power comes on
--   II  an up button that is held does not lead to all lifts moving up: another lift can lead at the same time, and
--       each waits for the other for ever

const
  Lifts: 3;

type
  Lift: 1..Lifts;
  Direction: enum { up, down };
  Button: enum { off, up_pressed, down_pressed };
  Role: enum { standby, follows, leads };
  Message: enum { nothing, standby_message, up_message, down_message, ready_message, sync };

var
  button: array [Lift] of Button;
  role: array [Lift] of Role;
  direction: array [Lift] of Direction;
  late: array [Lift] of boolean;  -- its direction is to be set when it sends
  heard: array [Lift] of array [Lift] of boolean;  -- by a leader: who is ready for its direction
  turn: Lift;
  touched: boolean;  -- a button has changed since the last turn
  bus: record
    message: Message;
    unheard: array [Lift] of boolean;
  end;

function direction_of(b: Button): Direction;
begin
  if b = up_pressed then
    return up;
  end;
  return down;
end;

procedure forget(l: Lift);
begin
  for m: Lift do
    heard[l][m] := false;
  end;
end;

procedure start_leading(l: Lift);
begin
  role[l] := leads;
  forget(l);
  if bus.message = nothing then
    direction[l] := direction_of(button[l]);
  else
    late[l] := true;
  end;
end;

procedure press(l: Lift; b: Button);
begin
  button[l] := b;
  if role[l] = standby then
    start_leading(l);
  end;
end;

function all_ready_for(l: Lift): boolean;
begin
  return forall m: Lift do m != l -> heard[l][m] end;
end;

procedure broadcast(l: Lift; m: Message; to_itself: boolean);
begin
  bus.message := m;
  for k: Lift do
    bus.unheard[k] := k != l | to_itself;
  end;
end;

procedure retire(l: Lift);
begin
  role[l] := standby;
  late[l] := false;
  forget(l);
end;

procedure next_turn();
begin
  if forall m: Lift do !bus.unheard[m] end then
    bus.message := nothing;
    turn := (turn % Lifts) + 1;
    touched := false;
  end;
end;

-- Another one leads. A leader that has announced its direction goes on; one that has not gives way.
procedure hear_direction(l: Lift; d: Direction);
begin
  switch role[l]
  case leads:
    if late[l] then
      role[l] := follows;
      late[l] := false;
    end;
  case standby:
    role[l] := follows;
    direction[l] := d;
  else
  end;
end;

procedure hear_standby(l: Lift);
begin
  if role[l] = leads then
    heard[l][turn] := false;
  else
    role[l] := standby;
  end;
end;

startstate "power on"
begin
  for l: Lift do
    button[l] := off;
    role[l] := standby;
    direction[l] := up;
    late[l] := false;
    bus.unheard[l] := false;
    forget(l);
  end;
  turn := 1;
  touched := false;
  bus.message := nothing;
end;

ruleset l: Lift do
  rule "press_up"
    button[l] = off & !touched
  ==>
  begin
    touched := true;
    press(l, up_pressed);
  end;

  rule "press_down"
    button[l] = off & !touched
  ==>
  begin
    touched := true;
    press(l, down_pressed);
  end;

  rule "release"
    button[l] != off & !touched
  ==>
  begin
    touched := true;
    button[l] := off;
  end;

  rule "send"
    turn = l & bus.message = nothing
  ==>
  begin
    if role[l] = leads & button[l] = off then
      retire(l);
    end;
    if late[l] then
      direction[l] := direction_of(button[l]);
      late[l] := false;
    end;
    if role[l] = leads & all_ready_for(l) then
      broadcast(l, sync, true);
    elsif role[l] = standby then
      broadcast(l, standby_message, false);
    elsif role[l] = follows then
      broadcast(l, ready_message, false);
    elsif direction[l] = up then
      broadcast(l, up_message, false);
    else
      broadcast(l, down_message, false);
    end;
  end;

  rule "hear"
    bus.unheard[l] & bus.message != sync
  ==>
  begin
    bus.unheard[l] := false;
    switch bus.message
    case up_message:
      hear_direction(l, up);
    case down_message:
      hear_direction(l, down);
    case ready_message:
      heard[l][turn] := role[l] = leads;
    else
      hear_standby(l);
    end;
    next_turn();
  end;

  rule "move_up"
    bus.unheard[l] & bus.message = sync & direction[l] = up
  ==>
  begin
    bus.unheard[l] := false;
    next_turn();
  end;

  rule "move_down"
    bus.unheard[l] & bus.message = sync & direction[l] = down
  ==>
  begin
    bus.unheard[l] := false;
    next_turn();
  end;
end;
