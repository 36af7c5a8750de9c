-- expect: holds, states 152200, transitions 815480
-- expect: violated invariant "every device has its own address", trace 1023
-- options: -D Bug=1
--
-- A host that enumerates the devices at a hub, in the spirit of a USB stack. A device that is plugged in is debounced
-- and its port is reset, then it answers to address 0; only one device may be in that state. The host reads its
-- descriptor packet by packet, gives it an address of its own and configures it. A packet may fail; after MaxRetries
-- the port is reset again. A device may be unplugged at any time, and an overcurrent switches all ports off.
--
-- Addresses are handed out in a circle of Addresses numbers; those in use are skipped.
--
-- A deep system for depth-bounded search: a round through all addresses has more than a thousand steps, in which
-- devices come and go. Retries, resets and unplugging return to states that are reached sooner on the straight way; the
-- rules of these detours stand first, so that a depth-first search takes them first.
--
-- Addresses and Packets scale the depth; Payload is the size in bytes of the host's buffer for the descriptor, which is
-- filled in the course of an enumeration and cleared at its end. Simplified: one hub, no interface or class driver; the
-- descriptor names the address that comes next, so that the content of the buffer changes with every device.
--
-- Devices and Mishaps make a run come to an end, as a test bench does: so many devices are plugged in, and so often a
-- packet fails, a contact bounces, a device is unplugged too early or the current is too high. 0: any number.
--
-- Bug = 1: when the allocator has gone once round, it forgets to skip the addresses in use, so a device that has been
-- plugged in all the time shares its address with a new one.

const
  Ports: 2;
  Addresses: 40;
  Packets: 20;  -- of a descriptor
  MaxRetries: 1;
  Devices: 0;
  Mishaps: 0;
  Payload: 60;
  Bug: 0;

type
  PORT: scalarset(Ports);
  Address: 0..Addresses;
  Byte: 0..255;
  PortState: enum { Empty, Plugged, Debounced, Answering, Addressed, Configured };

var
  port: array [PORT] of record
    state: PortState;
    address: Address;  -- 0: none of its own
  end;
  next_address: Address;
  read: 0..Packets;         -- packets of the descriptor of the device that answers to address 0
  retries: 0..MaxRetries;
  plugged: 0..Devices;
  mishaps: 0..Mishaps;
  buffer: array [0..Payload - 1] of Byte;

function is_in_use(a: Address): boolean;
begin
  return exists p: PORT do port[p].address = a end;
end;

function after(a: Address): Address;
begin
  return a = Addresses ? 1 : a + 1;
end;

-- The address for a new device: the next one that is free.
function choose_address(): Address;
var a: Address;
begin
  a := next_address;
  if Bug != 1 then
    while is_in_use(a) do
      a := after(a);
    end;
  end;
  return a;
end;

function may_go_wrong(): boolean;
begin
  return Mishaps = 0 | mishaps < Mishaps;
end;

procedure note_mishap();
begin
  if Mishaps > 0 then
    mishaps := mishaps + 1;
  end;
end;

procedure store_packet(number: 0..Packets - 1);
begin
  for i := number * Payload / Packets to (number + 1) * Payload / Packets - 1 do
    buffer[i] := (next_address * 5 + i) % 255 + 1;
  end;
end;

procedure clear_transfer();
begin
  read := 0;
  retries := 0;
  for i := 0 to Payload - 1 do
    buffer[i] := 0;
  end;
end;

procedure set_state(p: PORT; state: PortState);
begin
  if port[p].state = Answering then
    clear_transfer();
  end;
  port[p].state := state;
end;

procedure empty_port(p: PORT);
begin
  set_state(p, Empty);
  port[p].address := 0;
end;

startstate "an empty hub"
begin
  for p: PORT do
    port[p].state := Empty;
    port[p].address := 0;
  end;
  next_address := 1;
  plugged := 0;
  mishaps := 0;
  clear_transfer();
end;

rule "overcurrent"
  may_go_wrong() & exists p: PORT do port[p].state != Empty end
==>
begin
  note_mishap();
  for p: PORT do
    empty_port(p);
  end;
end;

ruleset p: PORT do
  rule "a packet fails"
    port[p].state = Answering & read < Packets & may_go_wrong()
  ==>
  begin
    note_mishap();
    if retries = MaxRetries then
      set_state(p, Debounced);
    else
      retries := retries + 1;
    end;
  end;

  rule "unplug"
    port[p].state != Empty & (port[p].state = Configured | may_go_wrong())
  ==>
  begin
    if port[p].state != Configured then
      note_mishap();
    end;
    empty_port(p);
  end;

  rule "bounce"
    port[p].state = Debounced & may_go_wrong()
  ==>
  begin
    note_mishap();
    set_state(p, Plugged);
  end;

  rule "plug in"
    port[p].state = Empty & (Devices = 0 | plugged < Devices)
  ==>
  begin
    if Devices > 0 then
      plugged := plugged + 1;
    end;
    set_state(p, Plugged);
  end;

  rule "debounce"
    port[p].state = Plugged
  ==>
  begin
    set_state(p, Debounced);
  end;

  rule "reset"
    port[p].state = Debounced & forall q: PORT do port[q].state != Answering end
  ==>
  begin
    set_state(p, Answering);
  end;

  rule "read a packet"
    port[p].state = Answering & read < Packets
  ==>
  begin
    store_packet(read);
    read := read + 1;
    retries := 0;
  end;

  rule "set address"
    port[p].state = Answering & read = Packets
  ==>
  begin
    port[p].address := choose_address();
    next_address := after(port[p].address);
    set_state(p, Addressed);
  end;

  rule "configure"
    port[p].state = Addressed
  ==>
  begin
    set_state(p, Configured);
  end;
end;

invariant "every device has its own address"
  forall p: PORT do forall q: PORT do
    p != q & port[p].address != 0 -> port[p].address != port[q].address
  end end;

invariant "one device answers to address 0"
  forall p: PORT do forall q: PORT do
    p != q & port[p].state = Answering -> port[q].state != Answering
  end end;
