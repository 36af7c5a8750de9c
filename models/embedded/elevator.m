-- expect: holds, states 673, transitions 2209
--
-- An elevator controller: calls on every floor, a door that must be closed while the cabin moves, and a rule that keeps
-- the direction until no call is left on that side.

const Floors: 5;

type
  Floor: 1..Floors;
  Direction: enum { Up, Down };
  Door: enum { Open, Closed };

var
  at: Floor;
  direction: Direction;
  door: Door;
  called: array [Floor] of boolean;
  moving: boolean;

function calls_above(): boolean;
begin
  return exists f: Floor do f > at & called[f] end;
end;

function calls_below(): boolean;
begin
  return exists f: Floor do f < at & called[f] end;
end;

ruleset f: Floor do
  startstate "at floor f"
  begin
    at := f;
    direction := Up;
    door := Closed;
    moving := false;
    for g: Floor do called[g] := false; end;
  end;
end;

ruleset f: Floor do
  rule "call"
    !called[f] & !(at = f & door = Open)
  ==>
  begin
    called[f] := true;
  end;
end;

rule "open the door"
  door = Closed & called[at]
==>
begin
  moving := false;
  door := Open;
  called[at] := false;
end;

rule "close the door"
  door = Open
==>
begin
  door := Closed;
end;

rule "turn round"
  door = Closed & !called[at]
  & (direction = Up ? !calls_above() & calls_below() : !calls_below() & calls_above())
==>
begin
  direction := direction = Up ? Down : Up;
end;

rule "move"
  door = Closed & !called[at] & (direction = Up ? calls_above() : calls_below())
==>
begin
  moving := true;
  at := direction = Up ? at + 1 : at - 1;
end;

invariant "the door is closed while the cabin moves"
  moving -> door = Closed;

ruleset f: Floor do
  liveness "every floor can be served"
    at = f & door = Open;
end;
