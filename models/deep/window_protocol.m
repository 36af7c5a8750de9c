-- expect: holds, states 120832, transitions 525312
-- expect: violated invariant "the sender waits for the receiver", trace 1409
-- options: -D Bug=1
--
-- A sliding-window protocol with cumulative acknowledgements over a network that loses and reorders messages. Sequence
-- numbers count modulo Numbers. The sender may have Window messages unacknowledged; an acknowledgement names the next
-- message that the receiver waits for. The network forgets what is older than a window (the maximum lifetime that
-- every protocol with finite sequence numbers relies on).
--
-- A deep system for depth-bounded search: one lap of the sequence numbers has more than a thousand steps, and each
-- message can take many ways of different lengths: it is lost, sent again or arrives twice, its acknowledgement is
-- lost, overtaken, or saved because a later one covers it. All of them meet again in the same states; the rules of the
-- detours stand first, so that a depth-first search takes them first.
--
-- Numbers scales the depth; Payload is the size in bytes of the receiver's buffer, of which every message overwrites
-- Chunk bytes.
--
-- Bug = 1: the sender compares an acknowledgement with its base as plain numbers; that numbers wrap around it minds only
-- for the acknowledgement of a single message. Behind the wrap, an old acknowledgement with a large number looks new,
-- and the sender drops messages that never arrived.

const
  Numbers: 512;
  Window: 2;
  AckSlots: 2;
  Payload: 64;
  Chunk: 4;
  Bug: 0;

type
  Number: 0..Numbers - 1;
  Distance: 0..Numbers - 1;
  Byte: 0..255;
  Position: 0..Payload - 1;

var
  base: Number;      -- oldest message that is not acknowledged
  next: Number;      -- next message to be sent for the first time
  expected: Number;  -- next message that the receiver waits for
  wire: record
    is_used: boolean;
    number: Number;
  end;
  acks: array [0..AckSlots - 1] of record
    is_used: boolean;
    number: Number;
  end;
  buffer: array [Position] of Byte;

function from_to(a: Number; b: Number): Distance;
begin
  return (b + Numbers - a) % Numbers;
end;

function following(n: Number): Number;
begin
  return (n + 1) % Numbers;
end;

function preceding(n: Number): Number;
begin
  return (n + Numbers - 1) % Numbers;
end;

procedure clear_wire();
begin
  wire.is_used := false;
  undefine wire.number;
end;

procedure clear_ack(slot: 0..AckSlots - 1);
begin
  acks[slot].is_used := false;
  undefine acks[slot].number;
end;

-- Everything that is more than a window behind the sender's base has left the network.
procedure forget_old_messages();
begin
  if wire.is_used & from_to(wire.number, base) > Window & from_to(base, wire.number) > Window then
    clear_wire();
  end;
  for slot := 0 to AckSlots - 1 do
    if acks[slot].is_used & from_to(acks[slot].number, base) > Window
       & from_to(base, acks[slot].number) > Window then
      clear_ack(slot);
    end;
  end;
end;

procedure send(n: Number);
begin
  wire.is_used := true;
  wire.number := n;
end;

procedure acknowledge();
begin
  for slot := 0 to AckSlots - 1 do
    if !acks[slot].is_used then
      acks[slot].is_used := true;
      acks[slot].number := expected;
      return;
    end;
  end;
end;

procedure store(n: Number);
begin
  for i := 0 to Chunk - 1 do
    buffer[(n * Chunk + i) % Payload] := (n * 13 + i) % 256;
  end;
end;

-- Is the acknowledgement news to the sender?
function is_new(number: Number): boolean;
begin
  if Bug = 1 then
    return number > base | from_to(base, number) = 1;
  end;
  return number != base & from_to(base, number) <= from_to(base, next);
end;

startstate "as after a lap"
begin
  base := 0;
  next := 0;
  expected := 0;
  clear_wire();
  for slot := 0 to AckSlots - 1 do
    clear_ack(slot);
  end;
  for p: Position do
    buffer[p] := 0;
  end;
  for n: Number do
    store(n);
  end;
end;

rule "a message is lost"
  wire.is_used
==>
begin
  clear_wire();
end;

ruleset slot: 0..AckSlots - 1 do
  rule "an acknowledgement is lost"
    acks[slot].is_used
  ==>
  begin
    clear_ack(slot);
  end;
end;

ruleset back: 0..Window - 1 do
  rule "send again"
    !wire.is_used & back < from_to(base, next)
  ==>
  begin
    send((base + back) % Numbers);
  end;
end;

rule "an old message arrives"
  wire.is_used & wire.number != expected & exists slot := 0 to AckSlots - 1 do !acks[slot].is_used end
==>
begin
  clear_wire();
  acknowledge();
end;

ruleset slot: 0..AckSlots - 1 do
  rule "an old acknowledgement arrives"
    acks[slot].is_used & !is_new(acks[slot].number)
  ==>
  begin
    clear_ack(slot);
  end;
end;

rule "send"
  !wire.is_used & from_to(base, next) < Window
==>
begin
  send(next);
  next := following(next);
end;

rule "a message arrives"
  wire.is_used & wire.number = expected & exists slot := 0 to AckSlots - 1 do !acks[slot].is_used end
==>
begin
  store(expected);
  clear_wire();
  expected := following(expected);
  acknowledge();
end;

ruleset slot: 0..AckSlots - 1 do
  rule "an acknowledgement arrives"
    acks[slot].is_used & is_new(acks[slot].number)
  ==>
  begin
    if from_to(base, next) < from_to(base, acks[slot].number) then
      next := acks[slot].number;
    end;
    base := acks[slot].number;
    clear_ack(slot);
    forget_old_messages();
  end;
end;

invariant "the sender waits for the receiver"
  from_to(base, expected) <= from_to(base, next) & from_to(base, next) <= Window;

invariant "the buffer holds the last message"
  forall i := 0 to Chunk - 1 do
    buffer[(preceding(expected) * Chunk + i) % Payload] = (preceding(expected) * 13 + i) % 256
  end;
