-- expect: violated invariant "the goal is never reached", prints "the run costs 13; no run costs less"
-- options: --property goal --search dijkstra
-- expect: violated invariant "the goal is never reached", prints "the run costs 13; no run costs less"
-- options: --property goal --search 'astar(abstraction())'
-- expect: violated invariant "the goal is never reached", prints "the run costs 13; no run costs less"
-- options: --property goal --search 'branch-and-bound(zero)'
-- expect: violated invariant "the goal is never reached", prints "the run costs 13; no run costs less"
-- options: --property goal --search 'idastar(zero)'
-- expect: violated invariant "the goal is never reached", prints "the run costs 13"
-- options: --property goal --search 'beam-dijkstra(zero, 200)'
-- expect: violated invariant "the goal is never reached", prints "the run costs"
-- options: --property goal --search nearest-neighbour
-- expect: violated invariant "the goal is never reached", prints "the run costs"
-- options: --property goal --search 'priority-beam(zero, 2, 8)'
-- expect: violated invariant "the goal is never reached", prints "the run costs 13"
-- options: --property goal --search 'beam(zero, 100, ties=keep)'
-- expect: violated invariant "the goal is never reached", trace 22
-- options: --property goal --cost '*=1' --search dijkstra
--
-- A job shop: three jobs of three operations each, on three machines, one operation at a time on each. A schedule is a
-- run to a state in which all jobs are done, and what it costs is the time it takes: a tick costs one, starting an
-- operation nothing.
--
-- The machines are needed for 10 ticks at most and so is each job, but no schedule is shorter than 13: that is the
-- smallest over all 216 orders of the jobs on the machines.

--@ goal forall j: Job do done[j] = Operations end
--@ progress done[1] + done[2] + done[3]

const
  Operations: 3;
  Longest: 4;

type
  Job: 1..3;
  Machine: 1..3;
  Operation: 0..Operations;

var
  done: array [Job] of Operation;   -- operations that are finished
  left: array [Job] of 0..Longest;  -- ticks that the operation under way still takes; 0: none is

function machine_of(j: Job; o: Operation): Machine;
begin
  if j = 1 then
    if o = 0 then return 2; elsif o = 1 then return 3; else return 1; end;
  elsif o = 0 then return 1;
  elsif o = 1 then return 3;
  end;
  return 2;
end;

function duration_of(j: Job; o: Operation): 0..Longest;
begin
  if j = 1 then
    if o = 1 then return 3; else return 2; end;
  elsif j = 2 then
    if o = 0 then return 1; elsif o = 1 then return 3; else return 2; end;
  end;
  if o = 1 then return 4; else return 3; end;
end;

startstate begin
  for j: Job do done[j] := 0; left[j] := 0; end;
end;

ruleset j: Job do
  rule "start"
    done[j] < Operations & left[j] = 0 &
    forall k: Job do
      left[k] > 0 -> machine_of(k, done[k]) != machine_of(j, done[j])
    end
  ==>
  begin
    left[j] := duration_of(j, done[j]);
  end;
end;

--@ cost 1
rule "tick"
  exists j: Job do left[j] > 0 end
==>
begin
  for j: Job do
    if left[j] > 0 then
      left[j] := left[j] - 1;
      if left[j] = 0 then done[j] := done[j] + 1; end;
    end;
  end;
end;
