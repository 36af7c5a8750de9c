# Shared by ./fathom and ./test: what a build needs and how it is made. Sourced, with `root` set to the checkout.
# Nothing here writes to standard output, because that belongs to the program being started.

build_packages="g++ cmake ninja-build libfmt-dev libcli11-dev nlohmann-json3-dev libxxhash-dev libzstd-dev"
build="$root/build/release"

# Installs what is missing of the named Debian packages, or says what to install. Other systems are left alone.
need_packages() {
  command -v dpkg-query >/dev/null || return 0
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) in
      ii*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    echo "fathom: packages are missing: apt install$missing" >&2
    return 2
  fi
  echo "installing$missing…" >&2
  # shellcheck disable=SC2086
  quietly install sh -c "apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $missing"
}

# Runs a command with its output in build/LOG.log, which is shown only when the command fails.
quietly() {
  log="$root/build/$1.log"
  shift
  "$@" </dev/null >"$log" 2>&1 && return 0
  tail -n 100 "$log" >&2
  echo "fathom: the command failed: $* (whole output in $log)" >&2
  return 70
}

# Is the build older than any source? Directories count too, so that a deleted file is noticed.
stale() {
  [ ! -x "$build/fathom" ] || [ ! -e "$build/stamp" ] ||
    [ -n "$(find "$root/src" "$root/CMakeLists.txt" "$root/CMakePresets.json" -newer "$build/stamp" -print -quit)" ]
}

# Configures and builds the named targets. The stamp carries the time at which the build began: a file that is edited
# meanwhile makes the result stale again.
make_release() {
  options=$1
  shift
  mkdir -p "$build" && touch "$build/stamp.new" || return 70
  # shellcheck disable=SC2086
  (cd "$root" && quietly configure cmake --preset release $options) || return
  quietly compile cmake --build "$build" --target "$@" || return
  mv "$build/stamp.new" "$build/stamp"
}
