// expect: holds
// Process 0 is at the second statement of a P, where a Q has its label. It is no Q, so it is never there; Spin compares the
// numbers of the statements alone, and says that it is.
byte g;
active proctype P() {
  g = 1;
  g = 2;
  g = 3
}
proctype Q() {
  skip;
there:
  skip
}
active proctype Watch() {
end:
  Q[0]@there;
  assert(false)
}
