-- expect: holds
-- options: -D Addresses=1
-- expect: holds, states 44369, transitions 185794
-- options: -D L2Ways=1 -D SnoopSlots=1
-- expect: violated invariant "inclusion", trace 16
-- options: -D Bug=1 -D L2Ways=1
-- expect: violated invariant "inclusion", trace 25
-- options: -D Bug=1 -D Addresses=3 -D L2Ways=2 -D SnoopSlots=1
--
-- The interface between one core and the ring of a multiprocessor, in the spirit of the CRI model of Talupur and Han
-- ("Biased Model Checking Using Flows", 2011, Table 3), which is not public: the core's L1 and L2 caches, the buffers
-- between them and towards the ring, and an environment that answers requests and sends snoops. The property is
-- inclusion: a line that is valid in L1 is valid in L2.
--
--   core -- fill buffers -- L1 == asked, to_l1, l1_victim, back == L2 -- misses -- ring_out, ring_in, snoop -- ring
--
-- A load or store that misses in L1 takes a fill buffer, asks L2, and if L2 misses too, the ring. L2 remembers with
-- `in_l1` where a copy may be above it. Before L2 gives up a line, for a snoop or to make room for another line, it
-- recalls that copy with a back-invalidation (`back`) and waits for the acknowledgement. The back-invalidation may
-- overtake a line on its way up: L1 must then use the line once and not keep it (`FillKilled`).
--
-- Every buffer is a slot per address, and the sizes below bound how many of the slots are in use. Simplified: no data;
-- the ring serves requests in any order; L1 replaces lines at will; a snoop always recalls the whole line from L1. L2
-- replaces a line only for want of a way, so evictions need more than L2Ways addresses.
--
-- Bug = 1: a back-invalidation for an eviction looks for the line in L1 and on the wires towards L1, but not in the
-- fill buffers. A line that has arrived in a fill buffer is later installed in L1 though L2 has given it up. The bug
-- needs Addresses > L2Ways; with Addresses = 4 it lies 34 steps deep and breadth-first search visits some 9 million
-- states on the way. core_ring_interface.flows has the transactions that inclusion is about, for biased search.

const
  Addresses: 2;
  L2Ways: 3;
  FillBuffers: 2;
  CoreQueue: 2;    -- requests from L1 to L2
  MissBuffers: 2;  -- of L2
  OutSlots: 2;     -- messages towards the ring
  SnoopSlots: 2;
  Bug: 0;

type
  ADDRESS: scalarset(Addresses);
  Count: 0..Addresses;
  Access: enum { Load, Store };
  L1State: enum { L1Invalid, L1Shared, L1Owned, L1Dirty };
  L2State: enum { L2Invalid, L2Shared, L2Exclusive, L2Modified };
  FillState: enum { NoFill, FillWanted, FillWaiting, FillData, FillKilled };
  MissState: enum { NoMiss, MissWanted, MissOnRing };
  DataUp: enum { NoData, DataShared, DataOwned };
  RingOut: enum { NoOut, OutRead, OutOwn, OutWriteback, OutSnoopClean, OutSnoopDirty };
  RingIn: enum { NoIn, InShared, InExclusive };
  Snoop: enum { NoSnoop, SnoopShare, SnoopOwn };
  Back: enum { NoBack, BackInv, BackInvForRoom, BackAckClean, BackAckDirty };

var
  core: array [ADDRESS] of record
    l1: L1State;
    fill: FillState;
    wants: Access;     -- of a fill buffer in use
    rights: L1State;   -- that the line in a fill buffer will have
    l1_victim: boolean;  -- a dirty line on its way from L1 to L2
  end;
  wires: array [ADDRESS] of record  -- between L1 and L2
    is_asked: boolean;
    asked: Access;
    to_l1: DataUp;
    back: Back;
  end;
  second: array [ADDRESS] of record
    l2: L2State;
    in_l1: boolean;
    miss: MissState;
    miss_for: Access;
    evicting: boolean;
  end;
  ring: array [ADDRESS] of record
    ring_out: RingOut;
    is_served: boolean;  -- by the other side of the ring
    served: Access;
    ring_in: RingIn;
    snoop: Snoop;
  end;

----------------------------------------------------------------------------------------------------------------------
-- How full the buffers are

function has_fill_buffer(): boolean;
var used: Count;
begin
  used := 0;
  for a: ADDRESS do
    if core[a].fill != NoFill then used := used + 1; end;
  end;
  return used < FillBuffers;
end;

function has_queue_entry(): boolean;
var used: Count;
begin
  used := 0;
  for a: ADDRESS do
    if wires[a].is_asked then used := used + 1; end;
  end;
  return used < CoreQueue;
end;

function has_miss_buffer(): boolean;
var used: Count;
begin
  used := 0;
  for a: ADDRESS do
    if second[a].miss != NoMiss then used := used + 1; end;
  end;
  return used < MissBuffers;
end;

function has_way(): boolean;
var used: Count;
begin
  used := 0;
  for a: ADDRESS do
    if second[a].l2 != L2Invalid | second[a].miss != NoMiss then used := used + 1; end;
  end;
  return used < L2Ways;
end;

function has_snoop_slot(): boolean;
var used: Count;
begin
  used := 0;
  for a: ADDRESS do
    if ring[a].snoop != NoSnoop then used := used + 1; end;
  end;
  return used < SnoopSlots;
end;

function can_send(a: ADDRESS): boolean;
var used: Count;
begin
  used := 0;
  for b: ADDRESS do
    if ring[b].ring_out != NoOut then used := used + 1; end;
  end;
  return used < OutSlots & ring[a].ring_out = NoOut;
end;

-- L2 may change what it knows of the line: nothing is under way about it.
function is_quiet(a: ADDRESS): boolean;
begin
  return second[a].miss = NoMiss & !second[a].evicting & wires[a].back = NoBack & wires[a].to_l1 = NoData
         & ring[a].snoop = NoSnoop;
end;

function is_waiting_for_way(a: ADDRESS): boolean;
begin
  return wires[a].is_asked & second[a].l2 = L2Invalid & second[a].miss = NoMiss;
end;

-- L2 can answer the snoop: what the ring granted before has arrived, and no copy is left above.
function can_answer_snoop(a: ADDRESS): boolean;
begin
  return ring[a].snoop != NoSnoop & ring[a].ring_in = NoIn & wires[a].back = NoBack & can_send(a)
         & (second[a].l2 = L2Invalid | !second[a].in_l1);
end;

procedure start_fill(a: ADDRESS; access: Access);
begin
  core[a].fill := FillWanted;
  core[a].wants := access;
end;

procedure free_fill(a: ADDRESS);
begin
  core[a].fill := NoFill;
  undefine core[a].wants;
  undefine core[a].rights;
end;

procedure send_up(a: ADDRESS; data: DataUp);
begin
  wires[a].to_l1 := data;
  second[a].in_l1 := true;
end;

procedure give_up(a: ADDRESS);
begin
  second[a].l2 := L2Invalid;
  second[a].in_l1 := false;
  second[a].evicting := false;
end;

----------------------------------------------------------------------------------------------------------------------

startstate "cold caches"
begin
  undefine core;
  undefine wires;
  undefine second;
  undefine ring;
  for a: ADDRESS do
    core[a].l1 := L1Invalid;
    core[a].fill := NoFill;
    core[a].l1_victim := false;
    wires[a].is_asked := false;
    wires[a].to_l1 := NoData;
    wires[a].back := NoBack;
    second[a].l2 := L2Invalid;
    second[a].in_l1 := false;
    second[a].miss := NoMiss;
    second[a].evicting := false;
    ring[a].ring_out := NoOut;
    ring[a].is_served := false;
    ring[a].ring_in := NoIn;
    ring[a].snoop := NoSnoop;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- The core and L1

ruleset a: ADDRESS do
  rule "core_load_miss"
    core[a].l1 = L1Invalid & core[a].fill = NoFill & !core[a].l1_victim & has_fill_buffer()
  ==>
  begin
    start_fill(a, Load);
  end;

  rule "core_store_miss"
    (core[a].l1 = L1Invalid | core[a].l1 = L1Shared) & core[a].fill = NoFill & !core[a].l1_victim & has_fill_buffer()
  ==>
  begin
    start_fill(a, Store);
  end;

  rule "core_store_hit"
    core[a].l1 = L1Owned
  ==>
  begin
    core[a].l1 := L1Dirty;
  end;

  rule "l1_request"
    core[a].fill = FillWanted & !wires[a].is_asked & has_queue_entry()
  ==>
  begin
    wires[a].is_asked := true;
    wires[a].asked := core[a].wants;
    core[a].fill := FillWaiting;
  end;

  rule "l1_take_data"
    core[a].fill = FillWaiting & wires[a].to_l1 != NoData
  ==>
  begin
    core[a].fill := FillData;
    core[a].rights := core[a].wants = Store ? L1Dirty : (wires[a].to_l1 = DataOwned ? L1Owned : L1Shared);
    wires[a].to_l1 := NoData;
  end;

  rule "l1_install"
    core[a].fill = FillData
  ==>
  begin
    core[a].l1 := core[a].rights;
    free_fill(a);
  end;

  -- A load has its value; a store needs the line and asks again.
  rule "l1_use_once"
    core[a].fill = FillKilled
  ==>
  begin
    if core[a].wants = Load then
      free_fill(a);
    else
      core[a].fill := FillWanted;
    end;
  end;

  rule "l1_evict_clean"
    (core[a].l1 = L1Shared | core[a].l1 = L1Owned) & core[a].fill = NoFill
  ==>
  begin
    core[a].l1 := L1Invalid;
  end;

  rule "l1_evict_dirty"
    core[a].l1 = L1Dirty & !core[a].l1_victim
  ==>
  begin
    core[a].l1 := L1Invalid;
    core[a].l1_victim := true;
  end;

  rule "l1_back_invalidate"
    wires[a].back = BackInv | wires[a].back = BackInvForRoom
  ==>
  begin
    if wires[a].to_l1 != NoData then
      wires[a].to_l1 := NoData;
      core[a].fill := FillKilled;
    elsif core[a].fill = FillData & (Bug != 1 | wires[a].back != BackInvForRoom) then
      core[a].fill := FillKilled;
      undefine core[a].rights;
    end;
    wires[a].back := core[a].l1 = L1Dirty | core[a].l1_victim ? BackAckDirty : BackAckClean;
    core[a].l1 := L1Invalid;
    core[a].l1_victim := false;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- L2 and the core's side

ruleset a: ADDRESS do
  rule "l2_take_l1_victim"
    core[a].l1_victim & wires[a].back = NoBack
  ==>
  begin
    core[a].l1_victim := false;
    second[a].l2 := L2Modified;
    second[a].in_l1 := false;
  end;

  rule "l2_hit_load"
    wires[a].is_asked & wires[a].asked = Load & second[a].l2 != L2Invalid & is_quiet(a)
  ==>
  begin
    send_up(a, second[a].l2 = L2Shared ? DataShared : DataOwned);
    wires[a].is_asked := false;
    undefine wires[a].asked;
  end;

  rule "l2_hit_store"
    wires[a].is_asked & wires[a].asked = Store & (second[a].l2 = L2Exclusive | second[a].l2 = L2Modified) & is_quiet(a)
  ==>
  begin
    send_up(a, DataOwned);
    wires[a].is_asked := false;
    undefine wires[a].asked;
  end;

  rule "l2_miss"
    wires[a].is_asked & is_quiet(a) & has_miss_buffer()
    & (second[a].l2 = L2Invalid ? has_way() : second[a].l2 = L2Shared & wires[a].asked = Store)
  ==>
  begin
    second[a].miss := MissWanted;
    second[a].miss_for := wires[a].asked;
    wires[a].is_asked := false;
    undefine wires[a].asked;
  end;

  rule "l2_recall"
    (ring[a].snoop != NoSnoop | second[a].evicting) & second[a].l2 != L2Invalid & second[a].in_l1
    & wires[a].back = NoBack & ring[a].ring_in = NoIn
  ==>
  begin
    wires[a].back := ring[a].snoop != NoSnoop ? BackInv : BackInvForRoom;
  end;

  rule "l2_recalled"
    wires[a].back = BackAckClean | wires[a].back = BackAckDirty
  ==>
  begin
    if wires[a].back = BackAckDirty then
      second[a].l2 := L2Modified;
    end;
    second[a].in_l1 := false;
    wires[a].back := NoBack;
  end;

  rule "l2_choose_victim"
    second[a].l2 != L2Invalid & is_quiet(a) & !wires[a].is_asked & !has_way()
    & exists b: ADDRESS do is_waiting_for_way(b) end
    & !exists b: ADDRESS do second[b].evicting end
  ==>
  begin
    second[a].evicting := true;
  end;

  rule "l2_drop"
    second[a].evicting & !second[a].in_l1 & wires[a].back = NoBack & second[a].l2 != L2Modified
    & ring[a].snoop = NoSnoop
  ==>
  begin
    give_up(a);
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- L2 and the ring

ruleset a: ADDRESS do
  rule "l2_write_back"
    second[a].evicting & !second[a].in_l1 & wires[a].back = NoBack & second[a].l2 = L2Modified
    & ring[a].snoop = NoSnoop & can_send(a)
  ==>
  begin
    ring[a].ring_out := OutWriteback;
    give_up(a);
  end;

  rule "l2_request"
    second[a].miss = MissWanted & can_send(a)
  ==>
  begin
    ring[a].ring_out := second[a].miss_for = Load ? OutRead : OutOwn;
    second[a].miss := MissOnRing;
  end;

  rule "l2_fill"
    ring[a].ring_in != NoIn & wires[a].back = NoBack & wires[a].to_l1 = NoData
  ==>
  begin
    second[a].l2 := ring[a].ring_in = InShared ? L2Shared : L2Exclusive;
    send_up(a, ring[a].ring_in = InShared ? DataShared : DataOwned);
    second[a].miss := NoMiss;
    undefine second[a].miss_for;
    ring[a].ring_in := NoIn;
  end;

  rule "l2_answer_snoop"
    can_answer_snoop(a)
  ==>
  begin
    ring[a].ring_out := second[a].l2 = L2Modified ? OutSnoopDirty : OutSnoopClean;
    if second[a].l2 = L2Invalid | ring[a].snoop = SnoopOwn then
      give_up(a);
    else
      second[a].l2 := L2Shared;
    end;
    ring[a].snoop := NoSnoop;
  end;

  rule "ring_take_request"
    (ring[a].ring_out = OutRead | ring[a].ring_out = OutOwn) & !ring[a].is_served
  ==>
  begin
    ring[a].is_served := true;
    ring[a].served := ring[a].ring_out = OutRead ? Load : Store;
    ring[a].ring_out := NoOut;
  end;

  rule "ring_take_note"
    ring[a].ring_out = OutWriteback | ring[a].ring_out = OutSnoopClean | ring[a].ring_out = OutSnoopDirty
  ==>
  begin
    ring[a].ring_out := NoOut;
  end;

  rule "ring_grant_shared"
    ring[a].is_served & ring[a].served = Load
  ==>
  begin
    ring[a].ring_in := InShared;
    ring[a].is_served := false;
    undefine ring[a].served;
  end;

  rule "ring_grant_exclusive"
    ring[a].is_served
  ==>
  begin
    ring[a].ring_in := InExclusive;
    ring[a].is_served := false;
    undefine ring[a].served;
  end;

  rule "ring_snoop_share"
    ring[a].snoop = NoSnoop & has_snoop_slot()
  ==>
  begin
    ring[a].snoop := SnoopShare;
  end;

  rule "ring_snoop_own"
    ring[a].snoop = NoSnoop & has_snoop_slot()
  ==>
  begin
    ring[a].snoop := SnoopOwn;
  end;
end;

----------------------------------------------------------------------------------------------------------------------

ruleset a: ADDRESS do
  invariant "inclusion"
    core[a].l1 != L1Invalid -> second[a].l2 != L2Invalid;

  invariant "L1 has no more rights than L2"
    core[a].l1 = L1Owned | core[a].l1 = L1Dirty -> second[a].l2 = L2Exclusive | second[a].l2 = L2Modified;
end;
