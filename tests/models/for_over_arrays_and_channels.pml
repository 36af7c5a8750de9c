// expect: holds, states 48, transitions 47
// options: --no-optimise --reduce none --keep-going
typedef Item { byte key; bool urgent };
chan queue = [3] of { Item };
byte table[3] = 2;
active proctype P() {
  Item item;
  byte i, sum;
  for (i in table) { table[i] = table[i] + i };
  for (i : 1 .. 3) { item.key = i; item.urgent = i == 2; queue!item };
  for (item in queue) { sum = sum + item.key };
  assert(sum == 6 && len(queue) == 3 && table[2] == 4)
}
