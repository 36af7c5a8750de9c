// expect: violated non-progress
// options: --property non-progress
byte g;
active proctype P() {
  byte x;
  g = 1;
  x = 2;
progress:
  g == 2
}
active proctype Q() {
  do
  :: g == 1
  od
}
