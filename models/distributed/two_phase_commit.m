-- expect: holds, states 2484, transitions 9022
-- options: --reduce none
-- expect: holds
--
-- Two-phase commit with a coordinator that can crash once and recover from its log. Votes and decisions travel through
-- channels that lose nothing but deliver in any order, so each participant's slot is a channel of its own.

const Participants: 4;

type
  Participant: scalarset(Participants);
  ParticipantState: enum { Working, Prepared, Committed, Aborted };
  Vote: enum { NoVote, Yes, No };
  Decision: enum { Undecided, Commit, Abort };

var
  participant: array [Participant] of ParticipantState;
  vote: array [Participant] of Vote;         -- in the channel to the coordinator
  decision: array [Participant] of Decision; -- in the channel from the coordinator
  log: Decision;                             -- survives a crash
  heard: array [Participant] of boolean;     -- lost in a crash
  up: boolean;
  crashed: boolean;

procedure begin_round();
begin
  for p: Participant do
    participant[p] := Working;
    vote[p] := NoVote;
    decision[p] := Undecided;
    heard[p] := false;
  end;
  log := Undecided;
  up := true;
  crashed := false;
end;

procedure decide(d: Decision);
begin
  log := d;
  for p: Participant do decision[p] := d; end;
end;

startstate
begin
  begin_round();
end;

ruleset p: Participant do
  rule "vote yes"
    participant[p] = Working
  ==>
  begin
    participant[p] := Prepared;
    vote[p] := Yes;
  end;

  rule "vote no"
    participant[p] = Working
  ==>
  begin
    participant[p] := Aborted;
    vote[p] := No;
  end;

  rule "the coordinator hears yes"
    up & log = Undecided & vote[p] = Yes & !heard[p]
  ==>
  begin
    heard[p] := true;
  end;

  rule "the coordinator hears no"
    up & log = Undecided & vote[p] = No
  ==>
  begin
    decide(Abort);
  end;

  rule "learn the decision"
    decision[p] != Undecided & participant[p] = Prepared
  ==>
  begin
    participant[p] := decision[p] = Commit ? Committed : Aborted;
  end;

  rule "abort before voting"
    decision[p] = Abort & participant[p] = Working
  ==>
  begin
    participant[p] := Aborted;
  end;
end;

rule "all said yes"
  up & log = Undecided & forall p: Participant do heard[p] end
==>
begin
  decide(Commit);
end;

rule "crash"
  up & !crashed
==>
begin
  up := false;
  crashed := true;
  for p: Participant do heard[p] := false; end;
end;

rule "recover"
  !up
==>
begin
  up := true;
  if log = Undecided then
    decide(Abort);
  end;
end;

-- Starting over tells the end of a round from a deadlock.
rule "the next transaction"
  forall p: Participant do participant[p] = Committed | participant[p] = Aborted end
==>
begin
  begin_round();
end;

invariant "nobody commits while another aborts"
  forall p: Participant do forall q: Participant do
    !(participant[p] = Committed & participant[q] = Aborted)
  end end;

cover "a commit happens"
  exists p: Participant do participant[p] = Committed end;

liveness "everybody can learn the outcome"
  forall p: Participant do participant[p] = Committed | participant[p] = Aborted end;
