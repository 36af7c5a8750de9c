// expect: violated assertion
// options: --property acceptance
// expect: violated assertion
// options: --property acceptance --search l2s
//
// An assertion of the claim fails while the run stays in its last state.
bool done;
active proctype P() { done = true; end: false }
never {
  do
  :: !done
  :: done -> break
  od;
accept:
  do
  :: assert(!done)
  od
}
