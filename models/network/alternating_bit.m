-- expect: holds, states 474, transitions 1884
--
-- The alternating bit protocol over channels of Capacity messages that lose and duplicate, but keep the order. Messages carry
-- a number modulo Numbers that the protocol does not look at; the receiver checks that none is missing or repeated.

const
  Capacity: 3;
  Numbers: 3;

type
  Bit: 0..1;
  Number: 0..Numbers - 1;
  Slot: 0..Capacity - 1;

var
  data: record
    bit: array [Slot] of Bit;
    number: array [Slot] of Number;
    length: 0..Capacity;
  end;
  acknowledgements: record
    bit: array [Slot] of Bit;
    length: 0..Capacity;
  end;
  sending, receiving: Bit;
  next, expected: Number;

procedure drop_first_data();
begin
  for i := 0 to Capacity - 2 do
    data.bit[i] := data.bit[i + 1];
    data.number[i] := data.number[i + 1];
  end;
  data.length := data.length - 1;
  clear data.bit[Capacity - 1];
  clear data.number[Capacity - 1];
end;

procedure drop_first_acknowledgement();
begin
  for i := 0 to Capacity - 2 do
    acknowledgements.bit[i] := acknowledgements.bit[i + 1];
  end;
  acknowledgements.length := acknowledgements.length - 1;
  clear acknowledgements.bit[Capacity - 1];
end;

procedure acknowledge(b: Bit);
begin
  if acknowledgements.length < Capacity then
    acknowledgements.bit[acknowledgements.length] := b;
    acknowledgements.length := acknowledgements.length + 1;
  end;
end;

startstate
begin
  clear data;
  clear acknowledgements;
  sending := 0;
  receiving := 0;
  next := 0;
  expected := 0;
end;

rule "send or send again"
  data.length < Capacity
==>
begin
  data.bit[data.length] := sending;
  data.number[data.length] := next;
  data.length := data.length + 1;
end;

rule "lose data"
  data.length > 0
==>
begin
  drop_first_data();
end;

rule "lose an acknowledgement"
  acknowledgements.length > 0
==>
begin
  drop_first_acknowledgement();
end;

rule "receive data"
  data.length > 0
==>
begin
  if data.bit[0] = receiving then
    assert data.number[0] = expected "a message is missing or was delivered twice";
    expected := (expected + 1) % Numbers;
    receiving := 1 - receiving;
  end;
  acknowledge(data.bit[0]);
  drop_first_data();
end;

rule "receive an acknowledgement"
  acknowledgements.length > 0
==>
begin
  if acknowledgements.bit[0] = sending then
    sending := 1 - sending;
    next := (next + 1) % Numbers;
  end;
  drop_first_acknowledgement();
end;

liveness "the sender can always go on"
  sending = 0 & next = 0;
