// expect: holds, states 409, transitions 727
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 409, transitions 727
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
c_decl {
  struct Tree { short depth; char colour; };
}
c_code {
  static struct Tree tree = { 3, 'r' };
  int counter = 5;
  static void raise_tree(int by) { tree.depth += by; if (tree.depth > 6) tree.depth = 0; }
}
c_track "&tree" "sizeof(struct Tree)"
c_track "&counter" "sizeof(int)" "Matched"

active [2] proctype P() {
  byte n;
  do
  :: n < 3 -> c_code { raise_tree(1); } ; n++
  :: c_expr { tree.depth == 5 } -> c_code { counter--; } ; break
  :: n == 3 -> break
  od
  assert(c_expr { counter >= 3 && tree.colour == 'r' })
}
