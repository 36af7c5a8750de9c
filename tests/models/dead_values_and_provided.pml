// expect: violated deadlock
// What a process is provided with it reads in every step.
byte g;
active proctype P() provided (g < 2) {
  byte x = 1;
  g = x;
  g = 2;
  g = 3
}
