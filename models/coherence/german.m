-- expect: holds, states 28088, transitions 150584
-- expect: holds, states 27554, transitions 147722
-- options: -D Values=1
-- expect: holds
-- options: -D Nodes=3 --reduce none
-- expect: violated invariant "CtrlProp", trace 12
-- options: -D Bug=1
-- expect: violated invariant "CtrlProp", trace 9
-- options: -D Bug=2
-- expect: violated invariant "CtrlProp", trace 9
-- options: -D Bug=3
-- expect: violated invariant "CtrlProp", trace 12
-- options: -D Bug=4
-- expect: violated invariant "CtrlProp", trace 12
-- options: -D Bug=5
-- expect: violated invariant "CtrlProp", trace 12
-- options: -D Bug=1 -D Nodes=5
-- expect: violated invariant "CtrlProp", trace 9
-- options: -D Bug=2 -D Nodes=6
-- expect: violated invariant "CtrlProp", trace 9
-- options: -D Bug=3 -D Nodes=6
-- expect: violated invariant "CtrlProp", trace 12
-- options: -D Bug=4 -D Nodes=5
--
-- German's directory protocol (S. German, 2000): every node caches the one line of memory that the home directory looks
-- after, as Invalid, Shared or Exclusive. A node has three channels of one message each: its requests to the home, the
-- home's grants and invalidations to it, and its acknowledgements to the home. The home serves one request at a time;
-- before it grants, it invalidates the copies that stand in the way and waits for their acknowledgements.
--
-- The rules carry the names of the flows of German's protocol, in the paper on biased search (Talupur and Han,
-- "Biased Model Checking Using Flows", 2011, Fig. 3):
--   shared copy:     SendReqS, RecvReqS, SendGntS, RecvGntS
--   exclusive copy:  SendReqE, RecvReqE, SendGntE, RecvGntE   (all but the first are the marks of its Table 1)
--   invalidation:    SendInv, SendInvAck, RecvInvAck
--   and Store, a write of the exclusive owner.
--
-- Simplified: one line only, and no eviction: a copy goes when it is invalidated. What a channel or register held is
-- undefined as soon as it is of no use, so that states do not differ in leftovers. -D Values=1 leaves the control part
-- alone.
--
-- Bug = 0 is the correct protocol. The seeded bugs, each a plausible slip, all break CtrlProp, the MESI property; the
-- shortest way to it has the same length for every Nodes >= 2 (the paper's bugs are not public, 1 to 4 are as deep):
--   1 (12 steps)  an owner that has written the line sends it back with its acknowledgement but keeps its copy, as if
--                 the invalidation were a request to write back
--   2 ( 9 steps)  the home considers the exclusive copy gone when it sends the invalidation, not when that is
--                 acknowledged, and so grants a shared copy beside it
--   3 ( 9 steps)  SendGntE waits until every invalidation has been sent, not until every one has been acknowledged
--   4 (12 steps)  a node whose own request for the exclusive copy is under way acknowledges an invalidation but keeps
--                 its shared copy
--   5 (12 steps)  RecvReqE takes a requester that is on the list of sharers to be the only one (an "upgrade") and drops
--                 the list without invalidating the others; most of the way to it are shared copies, which the marks of
--                 Table 1 say nothing of

const
  Nodes: 4;
  Values: 2;
  Bug: 0;

type
  NODE: scalarset(Nodes);
  DATA: scalarset(Values);
  CacheState: enum { Invalid, Shared, Exclusive };
  Request: enum { NoReq, ReqS, ReqE };
  Answer: enum { NoAnswer, Inv, GntS, GntE };
  Ack: enum { NoAck, InvAck };

var
  cache: array [NODE] of record
    state: CacheState;
    data: DATA;
  end;
  to_home: array [NODE] of Request;
  from_home: array [NODE] of record
    kind: Answer;
    data: DATA;  -- of a grant
  end;
  acks: array [NODE] of record
    kind: Ack;
    data: DATA;  -- of a copy that was exclusive
  end;
  home: record
    serving: Request;
    requester: NODE;
    sharers: array [NODE] of boolean;        -- nodes that may hold a copy
    to_invalidate: array [NODE] of boolean;  -- sharers to whom no invalidation was sent yet for this request
    exclusive_granted: boolean;
    data: DATA;
  end;
  last_written: DATA;  -- ghost

function is_sharer_left(): boolean;
begin
  return exists n: NODE do home.sharers[n] end;
end;

function is_invalidation_left(): boolean;
begin
  return exists n: NODE do home.to_invalidate[n] end;
end;

procedure start_serving(n: NODE);
begin
  home.serving := to_home[n];
  home.requester := n;
  to_home[n] := NoReq;
  for m: NODE do
    home.to_invalidate[m] := home.sharers[m];
  end;
end;

-- Whether the node holds the only copy of what was written last.
function is_dirty(n: NODE): boolean;
begin
  return cache[n].state = Exclusive & cache[n].data != home.data;
end;

function keeps_copy(n: NODE): boolean;
begin
  return (Bug = 1 & is_dirty(n)) | (Bug = 4 & to_home[n] = ReqE);
end;

procedure drop_sharers();
begin
  for m: NODE do
    home.sharers[m] := false;
    home.to_invalidate[m] := false;
  end;
end;

procedure grant(n: NODE; kind: Answer);
begin
  from_home[n].kind := kind;
  from_home[n].data := home.data;
  home.sharers[n] := true;
  home.exclusive_granted := kind = GntE;
  home.serving := NoReq;
  undefine home.requester;
end;

procedure take_copy(n: NODE; state: CacheState);
begin
  cache[n].state := state;
  cache[n].data := from_home[n].data;
  from_home[n].kind := NoAnswer;
  undefine from_home[n].data;
end;

ruleset d: DATA do
  startstate "nothing is cached"
  begin
    undefine cache;
    undefine from_home;
    undefine acks;
    undefine home;
    for n: NODE do
      cache[n].state := Invalid;
      to_home[n] := NoReq;
      from_home[n].kind := NoAnswer;
      acks[n].kind := NoAck;
      home.sharers[n] := false;
      home.to_invalidate[n] := false;
    end;
    home.serving := NoReq;
    home.exclusive_granted := false;
    home.data := d;
    last_written := d;
  end;
end;

ruleset n: NODE do
  rule "SendReqS"
    cache[n].state = Invalid & to_home[n] = NoReq
  ==>
  begin
    to_home[n] := ReqS;
  end;

  rule "SendReqE"
    cache[n].state != Exclusive & to_home[n] = NoReq
  ==>
  begin
    to_home[n] := ReqE;
  end;

  rule "RecvReqS"
    to_home[n] = ReqS & home.serving = NoReq
  ==>
  begin
    start_serving(n);
  end;

  rule "RecvReqE"
    to_home[n] = ReqE & home.serving = NoReq
  ==>
  begin
    start_serving(n);
    if Bug = 5 & home.sharers[n] & !home.exclusive_granted then
      drop_sharers();
    end;
  end;

  rule "SendInv"
    from_home[n].kind = NoAnswer & home.to_invalidate[n]
    & (home.serving = ReqE | (home.serving = ReqS & home.exclusive_granted))
  ==>
  begin
    from_home[n].kind := Inv;
    home.to_invalidate[n] := false;
    if Bug = 2 then
      home.exclusive_granted := false;
    end;
  end;

  rule "SendInvAck"
    from_home[n].kind = Inv & acks[n].kind = NoAck
  ==>
  begin
    from_home[n].kind := NoAnswer;
    acks[n].kind := InvAck;
    if cache[n].state = Exclusive then
      acks[n].data := cache[n].data;
    end;
    if !keeps_copy(n) then
      cache[n].state := Invalid;
      undefine cache[n].data;
    end;
  end;

  rule "RecvInvAck"
    acks[n].kind = InvAck & home.serving != NoReq
  ==>
  begin
    acks[n].kind := NoAck;
    home.sharers[n] := false;
    if home.exclusive_granted then
      home.exclusive_granted := false;
      home.data := acks[n].data;
    end;
    undefine acks[n].data;
  end;

  rule "SendGntS"
    home.serving = ReqS & home.requester = n & from_home[n].kind = NoAnswer & !home.exclusive_granted
  ==>
  begin
    grant(n, GntS);
  end;

  rule "SendGntE"
    home.serving = ReqE & home.requester = n & from_home[n].kind = NoAnswer
    & (Bug = 3 ? !is_invalidation_left() : !home.exclusive_granted & !is_sharer_left())
  ==>
  begin
    grant(n, GntE);
  end;

  rule "RecvGntS"
    from_home[n].kind = GntS
  ==>
  begin
    take_copy(n, Shared);
  end;

  rule "RecvGntE"
    from_home[n].kind = GntE
  ==>
  begin
    take_copy(n, Exclusive);
  end;

  ruleset d: DATA do
    rule "Store"
      cache[n].state = Exclusive
    ==>
    begin
      cache[n].data := d;
      last_written := d;
    end;
  end;
end;

invariant "CtrlProp"
  forall n: NODE do forall m: NODE do
    n != m & cache[n].state = Exclusive -> cache[m].state = Invalid
  end end;

invariant "DataProp"
  forall n: NODE do
    cache[n].state != Invalid -> cache[n].data = last_written
  end;
