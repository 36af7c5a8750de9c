// expect: holds, states 31
// options: --no-optimise --search dfs --reduce none
// expect: holds, states 12
// options: --no-optimise --search dfs --reduce por
// A process that has ended is removed at once where nobody can tell which number the next one gets.
proctype leaf(chan up; byte n) { up!n }
init {
  chan me = [0] of { byte };
  byte v;
  run leaf(me, 1); me?v;
  run leaf(me, 2); me?v;
  run leaf(me, 3); me?v;
  assert(v == 3)
}
