// expect: violated ltl "eats"
// options: --property ltl
// expect: violated ltl "eats"
// options: --property ltl --fair
// expect: holds
// options: --property ltl --strong-fair philosopher
// expect: holds
// options: --property ltl --strong-fair "!fork[0] && !fork[1]"
// expect: violated ltl "eats"
// options: --property ltl --strong-fair "eating = false"
// expect: violated ltl "eats"
// options: --property ltl --search ndfs(variant=cvwy)
// expect: violated ltl "eats"
// options: --property ltl --search l2s
bool fork[2];
bool eating;

active [2] proctype philosopher() {
  do
  :: atomic { !fork[0] && !fork[1] -> fork[0] = true; fork[1] = true };
     eating = (_pid == 1);
     eating = false;
     atomic { fork[0] = false; fork[1] = false }
  od
}

ltl eats { [] <> eating }
