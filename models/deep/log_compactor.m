-- expect: holds, states 67160, transitions 145228
-- expect: violated invariant "a deleted key stays deleted", trace 1060
-- options: -D Bug=1
--
-- A log-structured store: writes go to a table in memory, which is flushed to a file of level 0 when it is full. When a
-- level has Fanout files, they are compacted into one file of the next level, in Steps steps; the last level keeps one
-- file. A delete writes a tombstone, which hides older values of the key in deeper levels. A compaction may drop it
-- where nothing deeper is left that it could hide.
--
-- The model follows one key through memory and levels; it is created where it does not exist and deleted where it
-- does. Writes of other keys only fill tables. A crash throws an unfinished compaction away, or it empties the table in
-- memory, whose contents are then written again from the log. Writes wait until no compaction is due.
--
-- A deep system for depth-bounded search: the levels count flushes like the digits of a number, so the last level is
-- reached after Fanout^(Levels - 1) flushes, more than a thousand steps away. Crashes, delays and compactions that
-- start over return to states that were reached sooner on the straight way; the rules of these detours stand first, so
-- that a depth-first search takes them first.
--
-- Fanout, Levels, Table and Steps scale the depth. Payload is the size in bytes of the table in memory and of the
-- output of a compaction, which fill up as the two proceed.
--
-- Bug = 1: levels are counted from one where they should be counted from zero, and a compaction into the last level
-- but one drops tombstones as if it were the last. An old value of the key in the last level is then back.

const
  Levels: 4;
  Fanout: 4;
  Table: 9;  -- writes that fill the table in memory
  Steps: 8;  -- of a compaction
  Payload: 36;
  Bug: 0;

  Last: Levels - 1;

type
  Level: 0..Last;
  Byte: 0..255;
  What: enum { Nothing, Value, Tombstone };  -- a place holds for the key

var
  filled: 0..Table;
  in_memory: What;
  level: array [Level] of record
    files: 0..Fanout;
    newest: What;
  end;
  is_compacting: boolean;
  source: Level;
  done: 0..Steps;
  is_deleted: boolean;  -- ghost: the last write of the key was a delete
  table: array [0..Payload - 1] of Byte;
  output: array [0..Payload - 1] of Byte;

function newer(a: What; b: What): What;
begin
  return a != Nothing ? a : b;
end;

function is_anything_below(l: Level): boolean;
begin
  return exists d := 0 to Last do d > l & level[d].newest != Nothing end;
end;

function is_full(l: Level): boolean;
begin
  return l < Last & level[l].files = Fanout;
end;

function is_compaction_due(): boolean;
begin
  return exists l: Level do is_full(l) end;
end;

-- What a reader finds: the newest of all places.
function lookup(): What;
var found: What;
begin
  found := in_memory;
  for l: Level do
    found := newer(found, level[l].newest);
  end;
  return found;
end;

procedure clear_output();
begin
  for i := 0 to Payload - 1 do
    output[i] := 0;
  end;
end;

procedure clear_table();
begin
  filled := 0;
  for i := 0 to Payload - 1 do
    table[i] := 0;
  end;
end;

procedure add_to_table();
begin
  for i := filled * Payload / Table to (filled + 1) * Payload / Table - 1 do
    table[i] := (level[0].files * 17 + i) % 255 + 1;
  end;
  filled := filled + 1;
end;

procedure stop_compacting();
begin
  is_compacting := false;
  undefine source;
  undefine done;
  clear_output();
end;

function may_drop_tombstone(target: Level): boolean;
begin
  return !is_anything_below(target) | (Bug = 1 & target = Levels - 2);
end;

procedure install(target: Level);
var merged: What;
begin
  merged := newer(level[target - 1].newest, level[target].newest);
  if merged = Tombstone & may_drop_tombstone(target) then
    merged := Nothing;
  end;
  level[target].newest := merged;
  level[target].files := target = Last ? 1 : level[target].files + 1;
  level[target - 1].newest := Nothing;
  level[target - 1].files := 0;
end;

startstate "an empty store"
begin
  clear_table();
  in_memory := Nothing;
  for l: Level do
    level[l].files := 0;
    level[l].newest := Nothing;
  end;
  stop_compacting();
  is_deleted := false;
end;

rule "crash"
  is_compacting
==>
begin
  stop_compacting();
end;

rule "crash and replay the log"
  filled > 0 & filled < Table & in_memory = Nothing
==>
begin
  clear_table();
end;

rule "write another key"
  !is_compaction_due() & filled < Table
==>
begin
  add_to_table();
end;

rule "create the key"
  !is_compaction_due() & filled < Table & lookup() != Value
==>
begin
  add_to_table();
  in_memory := Value;
  is_deleted := false;
end;

rule "delete the key"
  !is_compaction_due() & filled < Table & lookup() = Value
==>
begin
  add_to_table();
  in_memory := Tombstone;
  is_deleted := true;
end;

rule "flush"
  filled = Table & level[0].files < Fanout
==>
begin
  level[0].files := level[0].files + 1;
  level[0].newest := newer(in_memory, level[0].newest);
  in_memory := Nothing;
  clear_table();
end;

-- The deepest full level goes first, which makes room for the one above.
ruleset l: Level do
  rule "start a compaction"
    !is_compacting & is_full(l) & !exists d := 0 to Last do d > l & is_full(d) end
  ==>
  begin
    is_compacting := true;
    source := l;
    done := 0;
  end;
end;

rule "a step of the compaction"
  is_compacting & done < Steps
==>
begin
  for i := done * Payload / Steps to (done + 1) * Payload / Steps - 1 do
    output[i] := (source * 53 + i) % 255 + 1;
  end;
  done := done + 1;
end;

rule "the compaction ends"
  is_compacting & done = Steps
==>
begin
  install(source + 1);
  stop_compacting();
end;

invariant "a deleted key stays deleted"
  is_deleted -> lookup() != Value;

invariant "a key that was created is found"
  !is_deleted & exists l: Level do level[l].newest != Nothing end -> lookup() = Value;
