// expect: violated run-time error
// Nobody reads `mean`, but computing it may fail.
byte sum, count;
byte mean;
active proctype P() {
  sum = 3;
  mean = sum / count
}
