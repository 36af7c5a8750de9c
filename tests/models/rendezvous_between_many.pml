// expect: holds, states 115, transitions 190
// options: --no-optimise --reduce none --keep-going
mtype = { ask, tell };
chan lines[2] = [0] of { mtype, byte };
active [2] proctype Server() {
  byte who;
  end: do
  :: lines[_pid]?ask,who -> lines[_pid]!tell(who + 1)
  od
}
active [2] proctype Client() {
  byte got, line;
  if :: line = 0 :: line = 1 fi;
  lines[line]!ask(_pid);
  lines[line]?tell,got;
  assert(got == _pid + 1)
}
