-- expect: holds, states 60244, transitions 80404
-- expect: violated invariant "a running image is intact", trace 1045
-- options: -D Bug=1
--
-- The boot loader of an embedded controller that receives a new image block by block and writes it to the spare bank of
-- its flash memory. A block is erased, received, programmed and verified; programming may go wrong, then it is tried
-- again, and after MaxRetries the whole update starts over. Every Group blocks the loader notes in a journal how far it
-- is, and after a power failure it continues from there. When all blocks are in place it starts the new image.
--
-- A deep system for depth-bounded search: an update has thousands of steps, and the same state is reached after very
-- different numbers of them: a block that the old bank has already is either copied (one step) or transferred (four);
-- retries, power failures and new beginnings all return to states of the straight way, and the rules for them stand
-- first, so that a depth-first search takes the detours before the straight way.
--
-- Blocks scales the depth and Payload the state: the bank has Blocks * Payload bytes, all of which change in an update.
-- Simplified: two versions of the image that differ in every byte of the blocks that cannot be copied; one packet is
-- one block; at most PowerFailures power failures in one update.
--
-- Bug = 1: the journal is written when the last block of a group has been programmed, before it is verified. If power
-- fails then, the loader continues behind a block that may be bad, and notices nothing when it starts the image.

const
  Blocks: 320;
  Payload: 1;    -- bytes in a block
  Group: 8;      -- blocks per journal entry
  MaxRetries: 1;
  PowerFailures: 1;  -- in one update
  Bug: 0;

  Size: Blocks * Payload;
  Erased: 255;

type
  Byte: 0..255;
  BlockCount: 0..Blocks;
  Version: 0..1;
  Phase: enum { Running, NoPower, EraseBlock, ReceiveBlock, ProgramBlock, VerifyBlock };

var
  phase: Phase;
  version: Version;  -- of the image that is being written, or running
  next: BlockCount;     -- block that is being written; forgotten without power
  journal: BlockCount;  -- blocks known to be in place
  retries: 0..MaxRetries;
  failures: 0..PowerFailures;
  bank: array [0..Size - 1] of Byte;

function is_in_old_bank(b: BlockCount): boolean;
begin
  return b % 4 = 3;
end;

function content(v: Version; b: BlockCount; i: 0..Size - 1): Byte;
begin
  return (is_in_old_bank(b) ? b * 7 + i : b * 5 + i * 3 + v * 101) % 250 + 1;
end;

procedure write_block(b: BlockCount);
begin
  for i := b * Payload to (b + 1) * Payload - 1 do
    bank[i] := content(version, b, i);
  end;
end;

procedure fill_block(b: BlockCount; value: Byte);
begin
  for i := b * Payload to (b + 1) * Payload - 1 do
    bank[i] := value;
  end;
end;

function is_good(b: BlockCount): boolean;
begin
  for i := b * Payload to (b + 1) * Payload - 1 do
    if bank[i] != content(version, b, i) then return false; end;
  end;
  return true;
end;

function is_image_good(): boolean;
begin
  for b := 0 to Blocks - 1 do
    if !is_good(b) then return false; end;
  end;
  return true;
end;

procedure start_block();
begin
  retries := 0;
  phase := next = Blocks ? Running : EraseBlock;
end;

procedure start_update();
begin
  for i := 0 to Size - 1 do
    bank[i] := Erased;
  end;
  next := 0;
  journal := 0;
  failures := 0;
  start_block();
end;

procedure note_in_journal(done: BlockCount);
begin
  if done % Group = 0 | done = Blocks then
    journal := done;
  end;
end;

procedure finish_block();
begin
  next := next + 1;
  note_in_journal(next);
  start_block();
end;

startstate "an update is waiting"
begin
  version := 0;
  next := Blocks;
  journal := Blocks;
  failures := 0;
  for b := 0 to Blocks - 1 do
    write_block(b);
  end;
  start_block();
end;

rule "power fails"
  phase != Running & phase != NoPower & failures < PowerFailures
==>
begin
  failures := failures + 1;
  phase := NoPower;
  undefine next;
  undefine retries;
end;

rule "power returns"
  phase = NoPower
==>
begin
  next := journal;
  start_block();
end;

rule "verification fails"
  phase = VerifyBlock & !is_good(next)
==>
begin
  if retries = MaxRetries then
    start_update();
  else
    retries := retries + 1;
    phase := EraseBlock;
  end;
end;

rule "programming goes wrong"
  phase = ProgramBlock
==>
begin
  fill_block(next, 0);
  if Bug = 1 then
    note_in_journal(next + 1);
  end;
  phase := VerifyBlock;
end;

rule "erase a block"
  phase = EraseBlock
==>
begin
  fill_block(next, Erased);
  phase := ReceiveBlock;
end;

rule "receive a block"
  phase = ReceiveBlock
==>
begin
  phase := ProgramBlock;
end;

rule "program a block"
  phase = ProgramBlock
==>
begin
  write_block(next);
  if Bug = 1 then
    note_in_journal(next + 1);
  end;
  phase := VerifyBlock;
end;

rule "a block is in place"
  phase = VerifyBlock & is_good(next)
==>
begin
  finish_block();
end;

rule "copy a block from the old bank"
  phase = EraseBlock & is_in_old_bank(next)
==>
begin
  write_block(next);
  finish_block();
end;

rule "a new version comes"
  phase = Running
==>
begin
  version := 1 - version;
  start_update();
end;

invariant "a running image is intact"
  phase = Running -> is_image_good();

-- Bug 1 breaks this at once, and is to be found by what follows from it.
invariant "the journal is never ahead"
  Bug = 0 & phase != NoPower -> journal <= next;
