-- expect: holds, states 68280, transitions 409457
-- expect: holds, states 257, transitions 777
-- options: -D Nodes=2
-- expect: holds, states 8500, transitions 40114
-- options: -D Nodes=3 -D Values=2
-- expect: violated invariant "CacheStateProp", trace 9
-- options: -D Bug=1
-- expect: violated invariant "CacheStateProp", trace 9
-- options: -D Bug=2
-- expect: violated invariant "CacheStateProp", trace 7
-- options: -D Bug=3
-- expect: violated invariant "CacheStateProp", trace 9
-- options: -D Bug=1 -D Nodes=5
-- expect: violated invariant "CacheStateProp", trace 9
-- options: -D Bug=2 -D Nodes=5
-- expect: violated invariant "CacheStateProp", trace 7
-- options: -D Bug=3 -D Nodes=6
--
-- The directory protocol of the Stanford FLASH multiprocessor (Kuskin et al., ISCA 1994; Heinrich's thesis, 1998), for
-- one line of memory, as Park and Dill (SPAA 1996) laid it out for verification: pi_ rules are what a node's processor
-- asks of its node controller, ni_ rules what a controller does with a message of the network. "local" rules run at the
-- home of the line, "remote" rules elsewhere; the last part of the name is the answer, so ni_local_getx_putx is the
-- home that receives a GetX and answers with a PutX.
--
-- The network is bounded as in the classic model: a request and its answer take turns in one slot per requester
-- (`uni`), every node has one invalidation or its acknowledgement under way (`inv`) and one replacement hint
-- (`replace_hint`), and the messages that close a transaction of the home exist once (`writeback`, `sharing`,
-- `nak_clear`).
--
-- The protocol is eager: the home hands out the exclusive copy together with the invalidations of the shared ones and
-- stays `pending` until all are acknowledged. The MESI property CacheStateProp therefore lets a shared copy live beside
-- an exclusive one exactly as long as the invalidation for it is under way.
--
-- The marks of Talupur and Han ("Biased Model Checking Using Flows", 2011, Table 2) are ni_local_getx_putx and
-- ni_remote_putx, 2 of the 33 rules. With Values = 1 (the default) the data tell nothing apart and the model is the
-- control part alone; -D Values=2 lets DataProp and MemoryProp speak, which bug 2 breaks before CacheStateProp.
--
-- Bug = 0 is the correct protocol. The seeded bugs break CacheStateProp; the shortest way there does not depend on
-- Nodes (>= 3; the paper's bugs are not public, these are as deep):
--   1 (9 steps)  ni_shwb makes the memory current but forgets to note the reader for whom the owner wrote back: nobody
--                will ever invalidate that copy
--   2 (9 steps)  ni_fack is treated like a sharing write-back: ownership moved to another node, but the home takes the
--                line for clean
--   3 (7 steps)  ni_remote_getx_putx sends the home its note of the transfer and forgets to drop its own copy on that
--                path; when the home itself is the requester and needs no note, the copy is dropped

const
  Nodes: 4;
  Values: 1;
  Bug: 0;

type
  NODE: scalarset(Nodes);
  DATA: scalarset(Values);
  CacheState: enum { Invalid, Shared, Exclusive };
  Command: enum { NoCommand, Get, GetX };
  Unicast: enum { NoUni, UniGet, UniGetX, UniPut, UniPutX, UniNak };
  Invalidation: enum { NoInv, Inv, InvAck };
  Sharing: enum { NoSharing, ShWb, FAck };

var
  Home: NODE;
  proc: array [NODE] of record
    waiting_for: Command;
    inv_marked: boolean;  -- an invalidation overtook the answer to our Get: use it once, do not keep it
    state: CacheState;
    data: DATA;
  end;
  dir: record
    pending: boolean;  -- a transaction is under way, everybody else gets a Nak
    is_local: boolean;  -- the home itself has a copy
    dirty: boolean;    -- somebody has the exclusive copy
    head_valid: boolean;
    head: NODE;  -- the owner if dirty, else the first sharer
    list_valid: boolean;
    list: array [NODE] of boolean;    -- the sharers behind the head
    unacked: array [NODE] of boolean; -- invalidations not acknowledged yet
  end;
  uni: array [NODE] of record  -- by requester
    cmd: Unicast;
    at: NODE;  -- where a request is to be served
    data: DATA;
  end;
  inv: array [NODE] of Invalidation;
  replace_hint: array [NODE] of boolean;
  writeback: record
    under_way: boolean;
    data: DATA;
  end;
  sharing: record
    cmd: Sharing;
    requester: NODE;
    data: DATA;
  end;
  nak_clear: boolean;
  memory: DATA;
  last_written: DATA;  -- ghost

----------------------------------------------------------------------------------------------------------------------
-- Parts of rules

procedure request(n: NODE; cmd: Unicast; at: NODE);
begin
  uni[n].cmd := cmd;
  uni[n].at := at;
  proc[n].waiting_for := cmd = UniGet ? Get : GetX;
end;

procedure forward(n: NODE);
begin
  dir.pending := true;
  uni[n].at := dir.head;
end;

procedure answer(n: NODE; cmd: Unicast; data: DATA);
begin
  uni[n].cmd := cmd;
  uni[n].data := data;
  undefine uni[n].at;
end;

procedure refuse(n: NODE);
begin
  uni[n].cmd := UniNak;
  undefine uni[n].at;
end;

procedure fill(n: NODE; state: CacheState; data: DATA);
begin
  proc[n].waiting_for := NoCommand;
  if proc[n].inv_marked & state = Shared then
    proc[n].state := Invalid;
    undefine proc[n].data;
  else
    proc[n].state := state;
    proc[n].data := data;
  end;
  proc[n].inv_marked := false;
end;

procedure drop_copy(n: NODE);
begin
  proc[n].state := Invalid;
  undefine proc[n].data;
end;

procedure take_message(n: NODE);
begin
  undefine uni[n];
  uni[n].cmd := NoUni;
end;

procedure forget_head();
begin
  dir.head_valid := false;
  undefine dir.head;
end;

procedure forget_list();
begin
  dir.list_valid := false;
  for n: NODE do
    dir.list[n] := false;
    dir.unacked[n] := false;
  end;
end;

procedure set_owner(n: NODE);
begin
  dir.is_local := false;
  dir.dirty := true;
  dir.head_valid := true;
  dir.head := n;
end;

function is_remote_sharer(n: NODE): boolean;
begin
  return n != Home & ((dir.list_valid & dir.list[n]) | (dir.head_valid & dir.head = n));
end;

-- Sends an invalidation to every remote sharer but n, and forgets the sharers.
procedure invalidate_all_but(n: NODE);
begin
  for m: NODE do
    dir.unacked[m] := m != n & is_remote_sharer(m);
    if dir.unacked[m] then
      inv[m] := Inv;
      dir.pending := true;
    end;
  end;
  dir.list_valid := false;
  for m: NODE do
    dir.list[m] := false;
  end;
  forget_head();
end;

-- The home can answer itself: nothing is under way, and if the line is dirty, its owner is the home's own cache.
function home_can_answer(): boolean;
begin
  return !dir.pending & (dir.dirty -> dir.is_local & proc[Home].state = Exclusive);
end;

-- The home must refuse n: it is busy, its own copy is about to be written back, or n's own write-back is under way.
function home_must_refuse(n: NODE): boolean;
begin
  return dir.pending | (dir.dirty & (dir.is_local ? proc[Home].state != Exclusive : dir.head = n));
end;

function owner_is_elsewhere(n: NODE): boolean;
begin
  return !dir.pending & dir.dirty & !dir.is_local & dir.head != n;
end;

-- A request of n waits at the home. It is not looked at while n's own replacement hint is under way, which would then
-- take the new copy off the list.
function is_at_home(n: NODE; cmd: Unicast): boolean;
begin
  return n != Home & uni[n].cmd = cmd & uni[n].at = Home & !replace_hint[n];
end;

function is_forwarded_to(n: NODE; cmd: Unicast; at: NODE): boolean;
begin
  return n != at & at != Home & uni[n].cmd = cmd & uni[n].at = at;
end;

----------------------------------------------------------------------------------------------------------------------

ruleset h: NODE; d: DATA do
  startstate "nothing is cached, h is the home"
  begin
    undefine proc;
    undefine dir;
    undefine uni;
    undefine writeback;
    undefine sharing;
    Home := h;
    for n: NODE do
      proc[n].waiting_for := NoCommand;
      proc[n].inv_marked := false;
      proc[n].state := Invalid;
      uni[n].cmd := NoUni;
      inv[n] := NoInv;
      replace_hint[n] := false;
    end;
    forget_list();
    dir.pending := false;
    dir.is_local := false;
    dir.dirty := false;
    dir.head_valid := false;
    writeback.under_way := false;
    sharing.cmd := NoSharing;
    nak_clear := false;
    memory := d;
    last_written := d;
  end;
end;

----------------------------------------------------------------------------------------------------------------------
-- The processors

ruleset n: NODE; d: DATA do
  rule "store"
    proc[n].state = Exclusive
  ==>
  begin
    proc[n].data := d;
    last_written := d;
  end;
end;

ruleset n: NODE do
  rule "pi_remote_get"
    n != Home & proc[n].waiting_for = NoCommand & proc[n].state = Invalid
  ==>
  begin
    request(n, UniGet, Home);
  end;

  rule "pi_remote_getx"
    n != Home & proc[n].waiting_for = NoCommand & proc[n].state = Invalid
  ==>
  begin
    request(n, UniGetX, Home);
  end;

  rule "pi_remote_putx"
    n != Home & proc[n].waiting_for = NoCommand & proc[n].state = Exclusive
  ==>
  begin
    writeback.under_way := true;
    writeback.data := proc[n].data;
    drop_copy(n);
  end;

  rule "pi_remote_replace"
    n != Home & proc[n].waiting_for = NoCommand & proc[n].state = Shared
  ==>
  begin
    replace_hint[n] := true;
    drop_copy(n);
  end;
end;

rule "pi_local_get_get"
  proc[Home].waiting_for = NoCommand & proc[Home].state = Invalid & !dir.pending & dir.dirty
==>
begin
  request(Home, UniGet, dir.head);
  dir.pending := true;
end;

rule "pi_local_get_put"
  proc[Home].waiting_for = NoCommand & proc[Home].state = Invalid & !dir.pending & !dir.dirty
==>
begin
  dir.is_local := true;
  fill(Home, Shared, memory);
end;

rule "pi_local_getx_getx"
  proc[Home].waiting_for = NoCommand & proc[Home].state != Exclusive & !dir.pending & dir.dirty
==>
begin
  request(Home, UniGetX, dir.head);
  dir.pending := true;
end;

rule "pi_local_getx_putx"
  proc[Home].waiting_for = NoCommand & proc[Home].state != Exclusive & !dir.pending & !dir.dirty
==>
begin
  invalidate_all_but(Home);
  dir.is_local := true;
  dir.dirty := true;
  fill(Home, Exclusive, memory);
end;

rule "pi_local_putx"
  proc[Home].waiting_for = NoCommand & proc[Home].state = Exclusive
==>
begin
  if !dir.pending then
    dir.is_local := false;
  end;
  dir.dirty := false;
  memory := proc[Home].data;
  drop_copy(Home);
end;

rule "pi_local_replace"
  proc[Home].waiting_for = NoCommand & proc[Home].state = Shared
==>
begin
  dir.is_local := false;
  drop_copy(Home);
end;

----------------------------------------------------------------------------------------------------------------------
-- Reading: requests at the home and at the owner, and the answers

ruleset n: NODE do
  rule "ni_local_get_nak"
    is_at_home(n, UniGet) & home_must_refuse(n)
  ==>
  begin
    refuse(n);
  end;

  rule "ni_local_get_get"
    is_at_home(n, UniGet) & owner_is_elsewhere(n)
  ==>
  begin
    forward(n);
  end;

  rule "ni_local_get_put"
    is_at_home(n, UniGet) & home_can_answer()
  ==>
  begin
    if dir.dirty then
      dir.dirty := false;
      dir.head_valid := true;
      dir.head := n;
      memory := proc[Home].data;
      proc[Home].state := Shared;
    elsif dir.head_valid then
      dir.list_valid := true;
      dir.list[n] := true;
    else
      dir.head_valid := true;
      dir.head := n;
    end;
    answer(n, UniPut, memory);
  end;

  rule "ni_remote_put"
    n != Home & uni[n].cmd = UniPut
  ==>
  begin
    fill(n, Shared, uni[n].data);
    take_message(n);
  end;

  ruleset at: NODE do
    rule "ni_remote_get_nak"
      is_forwarded_to(n, UniGet, at) & proc[at].state != Exclusive
    ==>
    begin
      refuse(n);
      nak_clear := true;
    end;

    rule "ni_remote_get_put"
      is_forwarded_to(n, UniGet, at) & proc[at].state = Exclusive
    ==>
    begin
      proc[at].state := Shared;
      answer(n, UniPut, proc[at].data);
      if n != Home then
        sharing.cmd := ShWb;
        sharing.requester := n;
        sharing.data := proc[at].data;
      end;
    end;
  end;
end;

rule "ni_local_put"
  uni[Home].cmd = UniPut
==>
begin
  dir.pending := false;
  dir.dirty := false;
  dir.is_local := true;
  memory := uni[Home].data;
  fill(Home, Shared, uni[Home].data);
  take_message(Home);
end;

----------------------------------------------------------------------------------------------------------------------
-- Writing: requests at the home and at the owner, and the answers

ruleset n: NODE do
  rule "ni_local_getx_nak"
    is_at_home(n, UniGetX) & home_must_refuse(n)
  ==>
  begin
    refuse(n);
  end;

  rule "ni_local_getx_getx"
    is_at_home(n, UniGetX) & owner_is_elsewhere(n)
  ==>
  begin
    forward(n);
  end;

  rule "ni_local_getx_putx"
    is_at_home(n, UniGetX) & home_can_answer()
  ==>
  begin
    if dir.dirty then
      answer(n, UniPutX, proc[Home].data);
    else
      answer(n, UniPutX, memory);
      invalidate_all_but(n);
    end;
    set_owner(n);
    drop_copy(Home);
  end;

  rule "ni_remote_putx"
    n != Home & uni[n].cmd = UniPutX & proc[n].waiting_for = GetX
  ==>
  begin
    fill(n, Exclusive, uni[n].data);
    take_message(n);
  end;

  ruleset at: NODE do
    rule "ni_remote_getx_nak"
      is_forwarded_to(n, UniGetX, at) & proc[at].state != Exclusive
    ==>
    begin
      refuse(n);
      nak_clear := true;
    end;

    rule "ni_remote_getx_putx"
      is_forwarded_to(n, UniGetX, at) & proc[at].state = Exclusive
    ==>
    begin
      answer(n, UniPutX, proc[at].data);
      if n != Home then
        sharing.cmd := FAck;
        sharing.requester := n;
      end;
      if Bug != 3 | n = Home then
        drop_copy(at);
      end;
    end;
  end;
end;

rule "ni_local_putxacksdone"
  uni[Home].cmd = UniPutX
==>
begin
  dir.pending := false;
  dir.is_local := true;
  forget_head();
  fill(Home, Exclusive, uni[Home].data);
  take_message(Home);
end;

----------------------------------------------------------------------------------------------------------------------
-- Refusals, invalidations, and the messages that close a transaction of the home

ruleset n: NODE do
  rule "ni_nak"
    uni[n].cmd = UniNak
  ==>
  begin
    proc[n].waiting_for := NoCommand;
    proc[n].inv_marked := false;
    take_message(n);
  end;

  rule "ni_inv"
    n != Home & inv[n] = Inv
  ==>
  begin
    inv[n] := InvAck;
    drop_copy(n);
    if proc[n].waiting_for = Get then
      proc[n].inv_marked := true;
    end;
  end;

  rule "ni_invack"
    n != Home & inv[n] = InvAck & dir.pending & dir.unacked[n]
  ==>
  begin
    inv[n] := NoInv;
    dir.unacked[n] := false;
    if !exists m: NODE do dir.unacked[m] end then
      dir.pending := false;
      if dir.is_local & !dir.dirty then
        dir.is_local := false;
      end;
    end;
  end;

  rule "ni_replace"
    n != Home & replace_hint[n]
  ==>
  begin
    replace_hint[n] := false;
    if dir.list_valid then
      dir.list[n] := false;
    end;
  end;
end;

rule "ni_nak_clear"
  nak_clear
==>
begin
  nak_clear := false;
  dir.pending := false;
end;

rule "ni_wb"
  writeback.under_way
==>
begin
  writeback.under_way := false;
  memory := writeback.data;
  undefine writeback.data;
  dir.dirty := false;
  forget_head();
end;

rule "ni_fack"
  sharing.cmd = FAck
==>
begin
  dir.pending := false;
  if dir.dirty then
    dir.head := sharing.requester;
  end;
  if Bug = 2 then
    dir.dirty := false;
  end;
  undefine sharing;
  sharing.cmd := NoSharing;
end;

rule "ni_shwb"
  sharing.cmd = ShWb
==>
begin
  dir.pending := false;
  dir.dirty := false;
  if Bug != 1 then
    dir.list_valid := true;
    dir.list[sharing.requester] := true;
  end;
  memory := sharing.data;
  undefine sharing;
  sharing.cmd := NoSharing;
end;

----------------------------------------------------------------------------------------------------------------------

invariant "CacheStateProp"
  forall n: NODE do forall m: NODE do
    n != m & proc[n].state = Exclusive ->
      proc[m].state = Invalid | (proc[m].state = Shared & inv[m] = Inv)
  end end;

invariant "DataProp"
  forall n: NODE do
    (proc[n].state = Exclusive | (proc[n].state = Shared & inv[n] != Inv)) -> proc[n].data = last_written
  end;

invariant "MemoryProp"
  !dir.dirty -> memory = last_written;
