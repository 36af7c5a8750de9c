// expect: rejected "`timeout` says nothing definite about a state in a claim"
// options: --property acceptance
// expect: holds
// options: --property deadlock
byte g;
active proctype P() {
  do
  :: g = 1 - g
  :: g == 2 -> timeout
  od
}
never { timeout }
