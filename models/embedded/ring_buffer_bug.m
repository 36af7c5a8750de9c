-- expect: violated assertion "a byte was lost"
--
-- A ring buffer between an interrupt handler and the main loop. The main loop decrements the shared count with a load
-- and a store; an interrupt between the two is forgotten. The seeded bug is that interrupts are not masked there.

const
  Size: 3;
  Bytes: 4;  -- bytes are numbered modulo this, enough to tell neighbours apart

type
  Index: 0..Size - 1;
  Count: 0..Size;
  Byte: 0..Bytes - 1;
  Step: enum { Poll, LoadCount, StoreCount };

var
  buffer: array [Index] of Byte;
  head, tail: Index;
  count: Count;
  loaded: Count;      -- the main loop's register
  step: Step;
  sent, expected: Byte;

startstate
begin
  clear buffer;
  head := 0;
  tail := 0;
  count := 0;
  undefine loaded;
  step := Poll;
  sent := 0;
  expected := 0;
end;

rule "interrupt: a byte arrives"
  count < Size
==>
begin
  buffer[head] := sent;
  sent := (sent + 1) % Bytes;
  head := (head + 1) % Size;
  count := count + 1;
end;

rule "main loop: take a byte"
  step = Poll & count > 0
==>
begin
  assert buffer[tail] = expected "a byte was lost";
  expected := (expected + 1) % Bytes;
  tail := (tail + 1) % Size;
  step := LoadCount;
end;

rule "main loop: load the count"
  step = LoadCount
==>
begin
  loaded := count;
  step := StoreCount;
end;

rule "main loop: store the count"
  step = StoreCount
==>
begin
  count := loaded - 1;
  undefine loaded;
  step := Poll;
end;
