-- expect: holds, states 56, transitions 132
-- options: --reduce none
-- expect: holds
--
-- Clients borrow one resource from a server over an unordered network, a multiset of messages. A node is the server or one
-- of the clients, so the address of a message is a union.

const
  Clients: 3;
  Room: Clients + 1;

type
  Client: scalarset(Clients);
  Place: enum { Server };
  Node: union { Client, Place };
  Kind: enum { Ask, Grant, GiveBack };
  Message: record
    kind: Kind;
    from: Node;
    to_node: Node;
  end;

var
  network: multiset [Room] of Message;
  waiting: array [Client] of boolean;
  holding: array [Client] of boolean;
  available: boolean;

procedure send(kind: Kind; from: Node; to_node: Node);
var message: Message;
begin
  message.kind := kind;
  message.from := from;
  message.to_node := to_node;
  MultiSetAdd(message, network);
end;

startstate
begin
  MultiSetRemovePred(m: network, true);
  for c: Client do
    waiting[c] := false;
    holding[c] := false;
  end;
  available := true;
end;

ruleset c: Client do
  rule "ask"
    !waiting[c] & !holding[c]
  ==>
  begin
    send(Ask, c, Server);
    waiting[c] := true;
  end;

  rule "give back"
    holding[c]
  ==>
  begin
    send(GiveBack, c, Server);
    holding[c] := false;
  end;
end;

choose m: network do
  alias message: network[m] do
    rule "the server grants a request"
      message.kind = Ask & available
    ==>
    begin
      assert ismember(message.from, Client);
      available := false;
      send(Grant, Server, message.from);
      MultiSetRemove(m, network);
    end;

    rule "the resource comes back"
      message.kind = GiveBack
    ==>
    begin
      available := true;
      MultiSetRemove(m, network);
    end;

    ruleset c: Client do
      rule "the client takes the resource"
        message.kind = Grant & message.to_node = c
      ==>
      begin
        holding[c] := true;
        waiting[c] := false;
        MultiSetRemove(m, network);
      end;
    end;
  end;
end;

invariant "one holder at a time"
  forall c: Client do forall d: Client do c != d -> !(holding[c] & holding[d]) end end;

invariant "the resource is in one place"
  (available ? 1 : 0) + MultiSetCount(m: network, network[m].kind = Grant | network[m].kind = GiveBack) <= 1;
