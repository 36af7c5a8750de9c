#!/bin/sh
# Every source is formatted as .clang-format says. Exit 77: there is no clang-format here.
cd "$(dirname "$0")/.." || exit 70
command -v clang-format >/dev/null || { echo "no clang-format"; exit 77; }
find src tests \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 clang-format --dry-run --Werror &&
  echo "all sources are formatted"
