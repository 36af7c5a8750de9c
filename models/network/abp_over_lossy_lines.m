-- expect: holds, states 74, transitions 92, depth 19
-- expect: holds, states 146, transitions 184, depth 19
-- options: -D Messages=4
-- expect: holds, states 290, transitions 368, depth 19
-- options: -D Messages=8
-- expect: holds, states 578, transitions 736, depth 19
-- options: -D Messages=16
--
-- The alternating bit protocol as process algebra has it (Mauw and Veltink, Algebraic Specification of Communication
-- Protocols, 1993): a sender, a receiver, and two lines that hold one frame each and may spoil it. Actions have the
-- names of that tradition: r1 reads a message, s4 delivers it, c2 and c3 hand a frame to the line and on to the
-- receiver, c5 and c6 an acknowledgement, and i is what a line decides. It is the protocol on which breadth-bounded
-- search was measured (Meulen, Stappers, Willemse 2010): 74, 146, 290 and 578 states over 20 levels for 2, 4, 8 and 16
-- messages.
--
-- Whatever is of no use any more is undefined, so that states do not differ in leftovers. The receiver remembers whether
-- it acknowledges a frame that it delivered or one that it threw away, as its process term does.

const
  Messages: 2;

type
  Message: 1..Messages;
  Bit: 0..1;
  Sender: enum { reading, sending, waiting };
  Line: enum { empty, deciding, intact, spoiled };
  Receiver: enum { listening, delivering, confirming, rejecting };

var
  sender: record
    at: Sender;
    bit: Bit;
    message: Message;
  end;
  frame: record
    at: Line;
    message: Message;
    bit: Bit;
  end;
  ack: record
    at: Line;
    bit: Bit;
  end;
  receiver: record
    at: Receiver;
    bit: Bit;  -- the one it waits for
    message: Message;
  end;

startstate "start"
begin
  undefine sender;
  undefine frame;
  undefine ack;
  undefine receiver;
  sender.at := reading;
  sender.bit := 0;
  frame.at := empty;
  ack.at := empty;
  receiver.at := listening;
  receiver.bit := 0;
end;

ruleset m: Message do
  rule "r1"
    sender.at = reading
  ==>
  begin
    sender.at := sending;
    sender.message := m;
  end;

  rule "s4"
    receiver.at = delivering & receiver.message = m
  ==>
  begin
    receiver.at := confirming;
    undefine receiver.message;
  end;
end;

rule "c2"
  sender.at = sending & frame.at = empty
==>
begin
  sender.at := waiting;
  frame.at := deciding;
  frame.message := sender.message;
  frame.bit := sender.bit;
end;

rule "i(frame intact)"
  frame.at = deciding
==>
begin
  frame.at := intact;
end;

rule "i(frame spoiled)"
  frame.at = deciding
==>
begin
  frame.at := spoiled;
  undefine frame.message;
  undefine frame.bit;
end;

rule "c3"
  receiver.at = listening & frame.at = intact
==>
begin
  if frame.bit = receiver.bit then
    receiver.at := delivering;
    receiver.message := frame.message;
  else
    receiver.at := rejecting;
  end;
  frame.at := empty;
  undefine frame.message;
  undefine frame.bit;
end;

rule "c3(spoiled)"
  receiver.at = listening & frame.at = spoiled
==>
begin
  receiver.at := rejecting;
  frame.at := empty;
end;

rule "c5"
  (receiver.at = confirming | receiver.at = rejecting) & ack.at = empty
==>
begin
  ack.at := deciding;
  if receiver.at = confirming then
    ack.bit := receiver.bit;
    receiver.bit := 1 - receiver.bit;
  else
    ack.bit := 1 - receiver.bit;
  end;
  receiver.at := listening;
end;

rule "i(acknowledgement intact)"
  ack.at = deciding
==>
begin
  ack.at := intact;
end;

rule "i(acknowledgement spoiled)"
  ack.at = deciding
==>
begin
  ack.at := spoiled;
  undefine ack.bit;
end;

rule "c6"
  sender.at = waiting & ack.at = intact
==>
begin
  if ack.bit = sender.bit then
    sender.at := reading;
    sender.bit := 1 - sender.bit;
    undefine sender.message;
  else
    sender.at := sending;
  end;
  ack.at := empty;
  undefine ack.bit;
end;

rule "c6(spoiled)"
  sender.at = waiting & ack.at = spoiled
==>
begin
  sender.at := sending;
  ack.at := empty;
end;

invariant "what is delivered is what was read"
  receiver.at = delivering -> receiver.message = sender.message;
