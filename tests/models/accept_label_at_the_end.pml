// expect: violated acceptance, trace 1
// expect: violated acceptance, trace 1
// options: --no-optimise --reduce none
// expect: holds
// options: -D GOES_ON
//
// A run that ends at an accept label stays there for ever, as with Spin.
byte x;
active proctype P() {
  x = 1;
end:
accept:
  x == 2
}
#ifdef GOES_ON
active proctype Q() { x == 1; x = 2 }
#endif
