-- expect: holds, states 151233, transitions 483213
-- expect: violated invariant "a report sees one moment", trace 1103
-- options: -D Bug=1
--
-- A transaction manager with several versions of each account. Two clients move money between two accounts: they lock
-- both accounts one after the other, write the log, apply the change and commit. Clients that wait for each other are
-- rolled back. A report adds up both accounts as they were when it began, however long it takes: it reads the version
-- that is older than its snapshot.
--
-- Transaction identifiers are finite, so "older" is a comparison modulo their number: it turns round when more than
-- half of all identifiers were used since. The manager must not hand out an identifier that is so far from the
-- snapshot, but let the clients wait until the report has ended. Only the distance matters, so the model keeps just
-- that (`age`), and MaxAge is half the number of identifiers.
--
-- A deep system for depth-bounded search: the limit lies MaxAge commits away, seven steps each, or five where a commit
-- hands a lock over to the other client. Rollbacks, retries and that fast path reach the same states after different
-- numbers of steps; the rules of the detours stand first, so that a depth-first search takes them first.
--
-- MaxAge scales the depth; Payload is the size in bytes of the log, Entry the bytes that a commit writes. The log is
-- overwritten in a circle and emptied when no snapshot needs it.
--
-- Reports and Attempts make a run come to an end, as a test bench does: so many reports are made, after which no client
-- begins anything, and so many transactions may be begun from one commit to the next. 0: any number.
--
-- Bug = 1: the manager does not keep the distance, and the old report suddenly takes the newest version for the old
-- one.

const
  MaxAge: 220;
  Money: 2;
  Payload: 64;
  Entry: 4;
  Reports: 0;
  Attempts: 0;
  Bug: 0;

type
  Client: 0..1;
  Account: 0..1;
  Amount: 0..Money;
  Age: 0..MaxAge;
  Byte: 0..255;
  Position: 0..Payload - 1;
  Step: enum { Idle, Begun, HasFirst, HasBoth, Logged, Applied };
  Report: enum { NoReport, Started, ReadFirst, Done };

var
  client: array [Client] of record
    step: Step;
    payer: Account;  -- locked first
  end;
  is_locked: array [Account] of boolean;
  balance: array [Account] of Amount;
  was: array [Account] of Amount;  -- in the snapshot of the report
  report: Report;
  total: 0..Money + Money;
  age: Age;  -- of the snapshot, in commits
  reports: 0..Reports;
  attempts: 0..Attempts;  -- since the last commit
  log: array [Position] of Byte;

procedure empty_log();
begin
  for p: Position do
    log[p] := 0;
  end;
  age := 0;
end;

procedure write_log();
begin
  for i := 0 to Entry - 1 do
    log[(age * Entry + i) % Payload] := (age * 3 + i) % 255 + 1;
  end;
end;

procedure release(c: Client);
begin
  if client[c].step != Begun then
    is_locked[client[c].payer] := false;
  end;
  if client[c].step != Begun & client[c].step != HasFirst then
    is_locked[1 - client[c].payer] := false;
  end;
  client[c].step := Idle;
  undefine client[c].payer;
end;

procedure take_number();
begin
  attempts := 0;
  if report != NoReport & age < MaxAge then
    age := age + 1;
    write_log();
  end;
end;

-- A number may be handed out if the snapshot stays on the right side of all comparisons.
function may_commit(): boolean;
begin
  return report = NoReport | Bug = 1 | age < MaxAge - 1;
end;

function may_begin(): boolean;
begin
  return (Attempts = 0 | attempts < Attempts) & (Reports = 0 | reports < Reports | report != NoReport);
end;

-- The version that the report takes for the one of its snapshot.
function seen(a: Account): Amount;
begin
  return age < MaxAge ? was[a] : balance[a];
end;

startstate "all money is on one account"
begin
  for c: Client do
    client[c].step := Idle;
    undefine client[c].payer;
  end;
  for a: Account do
    is_locked[a] := false;
    balance[a] := a = 0 ? Money : 0;
    undefine was[a];
  end;
  report := NoReport;
  undefine total;
  reports := 0;
  attempts := 0;
  empty_log();
end;

ruleset c: Client do
  rule "roll back"
    client[c].step = HasFirst & is_locked[1 - client[c].payer]
  ==>
  begin
    release(c);
  end;

  rule "give up"
    client[c].step = HasBoth
  ==>
  begin
    release(c);
  end;

  ruleset payer: Account do
    rule "begin"
      client[c].step = Idle & may_begin()
    ==>
    begin
      if Attempts > 0 then
        attempts := attempts + 1;
      end;
      client[c].step := Begun;
      client[c].payer := payer;
    end;
  end;

  rule "lock the first account"
    client[c].step = Begun & !is_locked[client[c].payer]
  ==>
  begin
    is_locked[client[c].payer] := true;
    client[c].step := HasFirst;
  end;

  rule "lock the second account"
    client[c].step = HasFirst & !is_locked[1 - client[c].payer]
  ==>
  begin
    is_locked[1 - client[c].payer] := true;
    client[c].step := HasBoth;
  end;

  rule "write the log"
    client[c].step = HasBoth & balance[client[c].payer] > 0
  ==>
  begin
    client[c].step := Logged;
  end;

  rule "apply"
    client[c].step = Logged & may_commit()
  ==>
  begin
    balance[client[c].payer] := balance[client[c].payer] - 1;
    balance[1 - client[c].payer] := balance[1 - client[c].payer] + 1;
    client[c].step := Applied;
    take_number();
  end;

  rule "commit"
    client[c].step = Applied
  ==>
  begin
    release(c);
  end;

  -- The other client, which waits for the account, gets it together with the commit.
  ruleset d: Client do
    rule "commit and hand over"
      client[c].step = Applied & c != d & client[d].step = Begun
    ==>
    begin
      release(c);
      is_locked[client[d].payer] := true;
      client[d].step := HasFirst;
    end;
  end;
end;

rule "a report starts"
  report = NoReport & (Reports = 0 | reports < Reports) & forall c: Client do client[c].step != Applied end
==>
begin
  if Reports > 0 then
    reports := reports + 1;
  end;
  report := Started;
  for a: Account do
    was[a] := balance[a];
  end;
end;

rule "the report reads the first account"
  report = Started
==>
begin
  total := seen(0);
  report := ReadFirst;
end;

rule "the report reads the second account"
  report = ReadFirst
==>
begin
  total := total + seen(1);
  report := Done;
end;

rule "the report ends"
  report = Done
==>
begin
  report := NoReport;
  undefine total;
  undefine was;
  empty_log();
end;

invariant "a report sees one moment"
  report = Done -> total = Money;

invariant "no money is lost"
  balance[0] + balance[1] = Money;

invariant "two clients do not change an account together"
  !(client[0].step = Applied & client[1].step = Applied);
