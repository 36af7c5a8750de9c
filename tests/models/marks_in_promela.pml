// expect: violated assertion
// options: --search biased-bfs --mark Deep
// expect: violated assertion
// options: --search biased-bfs --mark 'Deep[0]'
// expect: violated assertion
// options: --search biased-bfs --mark 'Deep@more, Deep@last'
// expect: violated assertion
// options: --search biased-bfs --mark 'x = *, line 26'
// expect: violated assertion
// options: --search biased-bfs --mark 'Deep when Deep[_pid]:mine < 9 && y == 0'
// expect: violated assertion
// options: --search biased-bfs --mark Wide
// expect: violated assertion
// options: --search bfs
//
// Ways to mark steps of a Promela model. What is marked decides how much is seen before the violation, which
// tests/cli/test_cli.py compares.
byte x, y, z;

active proctype Deep() {
  byte mine;
  do
  :: x < 6 ->
more: x = x + 1
  :: x == 6 ->
last: mine = x; assert(mine != 6)
  od
}

active proctype Wide() {
  do
  :: y < 20 -> y = y + 1
  :: y > 0 -> y = y - 1
  :: z < 20 -> z = z + 1
  :: z > 0 -> z = z - 1
  od
}
