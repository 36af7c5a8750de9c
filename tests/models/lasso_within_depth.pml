// expect: violated ltl
// options: --property ltl
// expect: violated ltl
// options: --property ltl --search scc
// expect: holds-in-scope
// options: --property ltl --max-depth 20
// expect: holds-in-scope
// options: --property ltl --max-depth 20 --search scc
// expect: violated ltl
// options: --property ltl --max-depth 60
// expect: violated ltl
// options: --property ltl --max-depth 60 --search ndfs(variant=cvwy)
// A loop that lies beyond twenty steps: a bound below it covers less, and says so.
byte x;
active proctype P() {
  do
  :: x < 20 -> x++
  :: x == 20 -> x = 10
  od
}
ltl stays_high { <>[] (x > 15) }
