-- expect: holds, states 979, transitions 3823
-- options: --reduce none
-- expect: holds
--
-- Leader election by terms and majority votes, as in Raft, with terms up to MaxTerm. A node votes at most once in a
-- term; requests may be lost, which here means that they need not be answered.

const
  Nodes: 3;
  MaxTerm: 3;

type
  Node: scalarset(Nodes);
  Term: 0..MaxTerm;
  Role: enum { Follower, Candidate, Leader };

var
  node: array [Node] of record
    term: Term;
    role: Role;
    voted_for: Node;  -- in `term`; undefined: nobody yet
    votes: array [Node] of boolean;
  end;

function majority(n: Node): boolean;
var count: 0..Nodes;
begin
  count := 0;
  for m: Node do
    if node[n].votes[m] then count := count + 1; end;
  end;
  return count * 2 > Nodes;
end;

procedure forget_votes(n: Node);
begin
  for m: Node do node[n].votes[m] := false; end;
end;

startstate
begin
  for n: Node do
    node[n].term := 0;
    node[n].role := Follower;
    undefine node[n].voted_for;
    for m: Node do node[n].votes[m] := false; end;
  end;
end;

ruleset n: Node do
  alias me: node[n] do
    rule "time out and stand for election"
      me.role != Leader & me.term < MaxTerm
    ==>
    begin
      me.term := me.term + 1;
      me.role := Candidate;
      me.voted_for := n;
      forget_votes(n);
      me.votes[n] := true;
    end;

    rule "win"
      me.role = Candidate & majority(n)
    ==>
    begin
      me.role := Leader;
      forget_votes(n);
    end;
  end;

  ruleset candidate: Node do
    rule "vote"
      n != candidate & node[candidate].role = Candidate
      & (node[n].term < node[candidate].term
         | (node[n].term = node[candidate].term & isundefined(node[n].voted_for)))
    ==>
    begin
      if node[n].term < node[candidate].term then
        node[n].term := node[candidate].term;
        node[n].role := Follower;
        forget_votes(n);
      end;
      node[n].voted_for := candidate;
      node[candidate].votes[n] := true;
    end;

    rule "hear from a leader"
      n != candidate & node[candidate].role = Leader
      & (node[n].term < node[candidate].term
         | (node[n].term = node[candidate].term & node[n].role = Candidate))
    ==>
    begin
      if node[n].term < node[candidate].term then
        undefine node[n].voted_for;
      end;
      node[n].term := node[candidate].term;
      node[n].role := Follower;
      forget_votes(n);
    end;
  end;
end;

-- Terms are bounded for the model's sake: the last one may end without a leader.
rule "all terms are used up"
  forall n: Node do node[n].term = MaxTerm end
==>
begin
  for n: Node do
    node[n].term := 0;
    node[n].role := Follower;
    undefine node[n].voted_for;
    for m: Node do node[n].votes[m] := false; end;
  end;
end;

invariant "one leader per term"
  forall a: Node do forall b: Node do
    a != b & node[a].role = Leader & node[b].role = Leader -> node[a].term != node[b].term
  end end;

cover "a leader of the last term"
  exists n: Node do node[n].role = Leader & node[n].term = MaxTerm end;
