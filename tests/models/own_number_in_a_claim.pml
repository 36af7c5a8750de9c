// expect: violated claim end "never_0", prints "the `_pid` of a claim is always 0", prints "the `_priority` of a claim is always 1"
// options: --property acceptance
// As in Spin a claim is process 0 and has priority 1.
byte g;
active [2] proctype P() {
  do
  :: g = 1 - g
  od
}
never {
  do
  :: _pid == 0 && _priority == 1 && g == 1 -> break
  :: else
  od
}
