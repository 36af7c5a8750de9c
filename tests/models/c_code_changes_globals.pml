// expect: holds, states 43, transitions 66
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 43, transitions 66
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
bit flag; bool done; byte small = 250; short middle = 32767; int large; unsigned three : 3 = 7; byte many[3];
mtype = { red, green };
mtype colour = red;

active [2] proctype P() {
  c_code { now.small += 3; now.flag = !now.flag; };
  c_code { now.middle++; now.three++; now.large -= 7; now.many[1] = now.many[0] + 1; };
  c_code { now.many[0]++; now.colour = 1; now.done = now.many[1] == 2; }
  assert(colour == green)
}
