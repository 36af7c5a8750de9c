// expect: rejected "inside an atomic sequence a cost is not counted"
// options: --search dijkstra
// expect: violated assertion
byte x;
active proctype P() {
  atomic {
    x = 1;
    x = 2 /*@ cost 4 */
  }
  assert(x == 1)
}
