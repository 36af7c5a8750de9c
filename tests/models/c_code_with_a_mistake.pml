// expect: rejected "in the C code of the model: "
// options: --allow-native-code
byte x;
active proctype P() {
  c_code { now.y = 1; }
}
