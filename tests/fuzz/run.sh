#!/bin/sh
# Fuzzes the front end of a language (murphi, the default, promela or aut) for the given number of minutes (default 5),
# starting from the models in the tree and a few random programs. Crashing inputs are left in build/fuzz/findings. Needs
# clang.
#   tests/fuzz/run.sh [MINUTES [LANGUAGE]]
set -e
minutes=${1:-5}
language=${2:-murphi}
cd "$(dirname "$0")/../.."
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

corpus=build/fuzz/corpus-$language
mkdir -p "$corpus" build/fuzz/findings
if [ "$language" = murphi ]; then
  find tests/models models -name '*.m' -exec cp -t "$corpus" {} +
  for seed in 1 2 3 4 5 6 7 8 9 10; do
    python3 tests/fuzz/generate.py --seed "$seed" >"$corpus/random$seed.m"
  done
elif [ "$language" = promela ]; then
  find tests/models models -name '*.pml' -exec cp -t "$corpus" {} +
  for seed in 1 2 3 4 5 6 7 8 9 10; do
    python3 tests/fuzz/generate_promela.py --seed "$seed" >"$corpus/random$seed.pml"
  done
else
  printf 'des (0, 3, 2)\n(0, "send (1)", 1)\n(1, back, 0)\n(1, "a\\"b", 1)\n' >"$corpus/small.aut"
fi

exec "build/fuzz/${language}_fuzz" -max_total_time=$((minutes * 60)) -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
  "-dict=tests/fuzz/$language.dict" -artifact_prefix=build/fuzz/findings/ "$corpus"
