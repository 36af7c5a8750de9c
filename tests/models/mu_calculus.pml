// expect: holds
// options: --mu 'AG EF {x == 3}'
// expect: violated mu "mu_0"
// options: --mu 'AG {x < 3 && light == red}'
// expect: holds
// options: --mu '[true* . "x = 0"]{x == 0}' --mu '<true* . "x = 0">true' --mu '<(!"x = 0")*>{x == 3}'
// expect: holds
// options: --mu 'forall i: 0..3. EF {x == i}' --mu 'forall m: mtype. EF {light == m}'
// expect: violated mu "mu_0"
// options: --mu 'exists m: mtype. AG light != m'
// expect: holds
// options: --mu 'EF {P@again}' --mu 'A([] <> x == 0)'
// expect: rejected "temporal formula"
// options: --mu 'AG {<> x == 3}'
// expect: rejected "z"
// options: --mu 'EF z == 3'
mtype = { red, green };
mtype light = red;
byte x = 0;

active proctype P() {
  do
  :: x < 3 -> x = x + 1
  :: x == 3 ->
    again: light = (light == red -> green : red);
    x = 0
  od
}
