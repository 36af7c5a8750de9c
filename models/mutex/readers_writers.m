-- expect: holds, states 364, transitions 1308
-- options: --reduce none
-- expect: holds
--
-- A reader-writer lock that prefers writers, written with one counter and one flag as it stands in many kernels.

const
  Threads: 4;

type
  Thread: scalarset(Threads);
  Phase: enum { Idle, WantsToRead, Reading, WantsToWrite, Writing };

var
  phase: array [Thread] of Phase;
  readers: 0..Threads;
  writing: boolean;
  writers_waiting: 0..Threads;

startstate
begin
  for t: Thread do phase[t] := Idle; end;
  readers := 0;
  writing := false;
  writers_waiting := 0;
end;

ruleset t: Thread do
  rule "ask to read" phase[t] = Idle ==>
  begin
    phase[t] := WantsToRead;
  end;

  rule "begin to read" phase[t] = WantsToRead & !writing & writers_waiting = 0 ==>
  begin
    readers := readers + 1;
    phase[t] := Reading;
  end;

  rule "end reading" phase[t] = Reading ==>
  begin
    readers := readers - 1;
    phase[t] := Idle;
  end;

  rule "ask to write" phase[t] = Idle ==>
  begin
    writers_waiting := writers_waiting + 1;
    phase[t] := WantsToWrite;
  end;

  rule "begin to write" phase[t] = WantsToWrite & !writing & readers = 0 ==>
  begin
    writers_waiting := writers_waiting - 1;
    writing := true;
    phase[t] := Writing;
  end;

  rule "end writing" phase[t] = Writing ==>
  begin
    writing := false;
    phase[t] := Idle;
  end;
end;

ruleset t: Thread do
  invariant "a writer is alone"
    phase[t] = Writing -> forall u: Thread do u = t | phase[u] != Reading & phase[u] != Writing end;
end;

invariant "the counter is right"
  readers = 0 -> forall t: Thread do phase[t] != Reading end;

cover "two readers at once"
  readers = 2;
