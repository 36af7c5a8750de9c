-- expect: holds, states 464, transitions 1632, depth 25
-- expect: holds, states 1040, transitions 3808, depth 25
-- options: -D Messages=4
-- expect: holds, states 2576, transitions 9888, depth 25
-- options: -D Messages=8
-- expect: holds, states 7184, transitions 28960, depth 25
-- options: -D Messages=16
--
-- The concurrent alternating bit protocol (Mauw and Veltink, Algebraic Specification of Communication Protocols, 1993):
-- the sender repeats its frame until it is told that an acknowledgement has come, and on the other side acknowledgements
-- are repeated without end by a process of their own, so that much goes on at a time. Lines hold one frame each and may
-- spoil or lose it. Actions have the names of that tradition: r1 reads a message, s2 delivers it, c3 and c4 are the
-- frames, c6 and c7 the acknowledgements, c5 and c8 the notices between the processes of one side, i what a line decides.
-- 464, 1,040, 2,576 and 7,184 states over 26 levels for 2, 4, 8 and 16 messages (Meulen, Stappers, Willemse 2010).

const
  Messages: 2;

type
  Message: 1..Messages;
  Bit: 0..1;
  Line: enum { empty, deciding, intact, spoiled };
  Receiver: enum { listening, delivering, notifying };

var
  sender: record
    sending: boolean;
    bit: Bit;
    message: Message;
  end;
  ack_receiver: record
    notifying: boolean;
    bit: Bit;  -- the one it waits for
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
  ack_sender: Bit;  -- the one it repeats

startstate "start"
begin
  undefine sender;
  undefine frame;
  undefine ack;
  undefine receiver;
  sender.sending := false;
  sender.bit := 0;
  ack_receiver.notifying := false;
  ack_receiver.bit := 0;
  frame.at := empty;
  ack.at := empty;
  receiver.at := listening;
  receiver.bit := 0;
  ack_sender := 1;
end;

ruleset m: Message do
  rule "r1"
    !sender.sending
  ==>
  begin
    sender.sending := true;
    sender.message := m;
  end;

  rule "s2"
    receiver.at = delivering & receiver.message = m
  ==>
  begin
    receiver.at := notifying;
    undefine receiver.message;
  end;
end;

rule "c3"
  sender.sending & frame.at = empty
==>
begin
  frame.at := deciding;
  frame.message := sender.message;
  frame.bit := sender.bit;
end;

rule "c8"
  sender.sending & ack_receiver.notifying
==>
begin
  sender.sending := false;
  sender.bit := 1 - sender.bit;
  undefine sender.message;
  ack_receiver.notifying := false;
  ack_receiver.bit := 1 - ack_receiver.bit;
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

rule "i(frame lost)"
  frame.at = deciding
==>
begin
  undefine frame;
  frame.at := empty;
end;

rule "c4"
  receiver.at = listening & frame.at = intact
==>
begin
  if frame.bit = receiver.bit then
    receiver.at := delivering;
    receiver.message := frame.message;
  end;
  undefine frame;
  frame.at := empty;
end;

rule "c4(spoiled)"
  receiver.at = listening & frame.at = spoiled
==>
begin
  frame.at := empty;
end;

rule "c5"
  receiver.at = notifying
==>
begin
  receiver.at := listening;
  receiver.bit := 1 - receiver.bit;
  ack_sender := 1 - ack_sender;
end;

rule "c6"
  ack.at = empty
==>
begin
  ack.at := deciding;
  ack.bit := ack_sender;
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

rule "i(acknowledgement lost)"
  ack.at = deciding
==>
begin
  undefine ack;
  ack.at := empty;
end;

rule "c7"
  !ack_receiver.notifying & ack.at = intact
==>
begin
  if ack.bit = ack_receiver.bit then
    ack_receiver.notifying := true;
  end;
  undefine ack;
  ack.at := empty;
end;

rule "c7(spoiled)"
  !ack_receiver.notifying & ack.at = spoiled
==>
begin
  ack.at := empty;
end;

invariant "what is delivered is what was read"
  receiver.at = delivering -> receiver.message = sender.message;
