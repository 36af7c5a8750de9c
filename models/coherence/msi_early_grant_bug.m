-- expect: violated invariant "single writer"
--
-- A directory-based MSI cache coherence protocol with one line of memory, unordered point-to-point channels and a
-- directory that handles one request at a time. The value that was written last is kept as a ghost variable.
--
-- The seeded bug: the directory forgets a sharer when it sends the invalidation, not when the acknowledgement is back,
-- and so hands out write permission while old copies are still readable.

const
  Caches: 3;
  Values: 2;

type
  Cache: scalarset(Caches);
  Value: scalarset(Values);
  CacheState: enum { Invalid, WaitShared, Shared, WaitModified, Modified };
  DirectoryState: enum { Uncached, SharedBy, OwnedBy, Recalling, Invalidating };
  Request: enum { NoRequest, GetShared, GetModified };
  Answer: enum { NoAnswer, Data, Invalidate, Recall };
  Reply: enum { NoReply, InvalidateAck, WriteBack };

var
  cache: array [Cache] of record
    state: CacheState;
    value: Value;
  end;
  requests: array [Cache] of Request;
  answers: array [Cache] of record
    kind: Answer;
    value: Value;
  end;
  replies: array [Cache] of record
    kind: Reply;
    value: Value;
  end;
  directory: record
    state: DirectoryState;
    sharers: array [Cache] of boolean;
    owner: Cache;
    requester: Cache;
    wanted: Request;
    value: Value;
  end;
  last_written: Value;  -- ghost

procedure answer_with_data(c: Cache);
begin
  answers[c].kind := Data;
  answers[c].value := directory.value;
end;

procedure grant();
begin
  answer_with_data(directory.requester);
  if directory.wanted = GetShared then
    directory.sharers[directory.requester] := true;
    directory.state := SharedBy;
  else
    directory.owner := directory.requester;
    directory.state := OwnedBy;
  end;
  undefine directory.requester;
  directory.wanted := NoRequest;
end;

ruleset v: Value do
  startstate "memory holds v"
  begin
    for c: Cache do
      cache[c].state := Invalid;
      undefine cache[c].value;
      requests[c] := NoRequest;
      answers[c].kind := NoAnswer;
      undefine answers[c].value;
      replies[c].kind := NoReply;
      undefine replies[c].value;
      directory.sharers[c] := false;
    end;
    directory.state := Uncached;
    undefine directory.owner;
    undefine directory.requester;
    directory.wanted := NoRequest;
    directory.value := v;
    last_written := v;
  end;
end;

ruleset c: Cache do
  alias me: cache[c] do
    rule "a load misses"
      me.state = Invalid & requests[c] = NoRequest
    ==>
    begin
      requests[c] := GetShared;
      me.state := WaitShared;
    end;

    rule "a store misses"
      (me.state = Invalid | me.state = Shared) & requests[c] = NoRequest
    ==>
    begin
      requests[c] := GetModified;
      me.state := WaitModified;
      undefine me.value;
    end;

    rule "data arrives"
      answers[c].kind = Data
    ==>
    begin
      me.value := answers[c].value;
      me.state := me.state = WaitShared ? Shared : Modified;
      answers[c].kind := NoAnswer;
      undefine answers[c].value;
    end;

    rule "an invalidation arrives"
      answers[c].kind = Invalidate & replies[c].kind = NoReply
    ==>
    begin
      replies[c].kind := InvalidateAck;
      answers[c].kind := NoAnswer;
      if me.state = Shared then
        me.state := Invalid;
        undefine me.value;
      end;
    end;

    rule "a recall arrives"
      answers[c].kind = Recall & replies[c].kind = NoReply
    ==>
    begin
      replies[c].kind := WriteBack;
      replies[c].value := me.value;
      answers[c].kind := NoAnswer;
      me.state := Invalid;
      undefine me.value;
    end;

    ruleset v: Value do
      rule "store"
        me.state = Modified
      ==>
      begin
        me.value := v;
        last_written := v;
      end;
    end;
  end;

  rule "the directory accepts a request"
    requests[c] != NoRequest & directory.wanted = NoRequest & answers[c].kind = NoAnswer
  ==>
  begin
    directory.requester := c;
    directory.wanted := requests[c];
    requests[c] := NoRequest;
    switch directory.state
    case Uncached:
      grant();
    case SharedBy:
      if directory.wanted = GetShared then
        grant();
      else
        directory.state := Invalidating;
      end;
    case OwnedBy:
      directory.state := Recalling;
    else
      error "a request was accepted in the middle of another";
    end;
  end;

  rule "the directory recalls the owner's copy"
    directory.state = Recalling & !isundefined(directory.owner) & directory.owner = c & answers[c].kind = NoAnswer
  ==>
  begin
    answers[c].kind := Recall;
    undefine directory.owner;
  end;

  rule "the directory receives the owner's copy"
    replies[c].kind = WriteBack
  ==>
  begin
    directory.value := replies[c].value;
    replies[c].kind := NoReply;
    undefine replies[c].value;
    grant();
  end;

  rule "the directory invalidates a sharer"
    directory.state = Invalidating & directory.sharers[c] & answers[c].kind = NoAnswer & replies[c].kind = NoReply
  ==>
  begin
    answers[c].kind := Invalidate;
    directory.sharers[c] := false;
  end;

  rule "the directory receives an acknowledgement"
    replies[c].kind = InvalidateAck
  ==>
  begin
    replies[c].kind := NoReply;
    directory.sharers[c] := false;
  end;
end;

rule "the directory has all acknowledgements"
  directory.state = Invalidating
  & forall c: Cache do !directory.sharers[c] end
==>
begin
  grant();
end;

invariant "single writer"
  forall c: Cache do forall d: Cache do
    c != d & cache[c].state = Modified -> cache[d].state != Modified & cache[d].state != Shared
  end end;

invariant "reads see the last write"
  forall c: Cache do
    cache[c].state = Shared | cache[c].state = Modified -> cache[c].value = last_written
  end;
