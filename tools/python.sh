#!/bin/sh
# A virtual environment under target/ for what Python checks, made from packages of PyPI.
#   tools/python.sh                    prints its Python if it has python-chess, which plays against our engine
#   tools/python.sh install            the same, after making it
#   tools/python.sh package            prints its Python if it has what the tests of our package need
#   tools/python.sh package install    the same, after installing that
#   tools/python.sh test PROGRAM TABLES        tests the package, as a wheel of the library that cargo has built
#   tools/python.sh test-full PROGRAM TABLES   tests the package in full, also as `pip install ./python` makes it
# Where something cannot be had nothing is printed, and stderr says what that means.

. "$(dirname "$0")/package.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
package=chess==1.11.2
target=${CARGO_TARGET_DIR:-$root/target}
folder=$target/python

have() {
	"$folder/bin/python" -c 'import chess.engine' 2>"$log"
}

have_package() {
	"$folder/bin/python" -m pip --version >"$log" 2>&1 &&
		"$folder/bin/python" -c 'import chess, ipykernel, mypy, nbclient, numpy, pyarrow, pytest, tqdm' 2>"$log"
}

is_new_enough() {
	python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>"$log"
}

make() {
	[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
}

# Python for our engine's client.
client() {
	if have; then
		:
	elif [ "$1" != install ]; then
		reason="python-chess is not installed in $folder"
	elif ! { make && "$folder/bin/python" -m pip install -q $package; } >"$log" 2>&1; then
		reason="$package could not be installed in $folder: $(tail -n 1 "$log")"
	elif ! have; then
		reason="$package is installed but does not run: $(tail -n 1 "$log")"
	fi
	if [ -z "$reason" ]; then
		echo "$folder/bin/python"
	else
		shout "PYTHON-CHESS IS LEFT OUT: the engine is NOT tested with it." "Why: $reason"
	fi
}

# Python for the tests of our package; `$2` names the list of packages.
for_package() {
	if ! is_new_enough; then
		reason="there is no Python of at least 3.11"
	elif [ "$1" != install ]; then
		have_package || reason="what the tests need is not installed in $folder"
	elif ! { make && "$folder/bin/python" -m pip install -q --disable-pip-version-check -r "$root/python/tests/$2"; } >"$log" 2>&1; then
		reason="packages could not be installed in $folder: $(tail -n 1 "$log")"
	elif ! have_package; then
		reason="packages are installed but do not run: $(tail -n 1 "$log")"
	fi
	if [ -z "$reason" ]; then
		echo "$folder/bin/python"
	else
		shout "THE PYTHON PACKAGE IS LEFT OUT: it is NOT tested." "Why: $reason"
	fi
}

# Puts the wheel into an environment that has nothing else, and uses it there: it needs no other package.
try_wheel() {
	rm -rf "$target/python-fresh"
	python3 -m venv "$target/python-fresh"
	"$target/python-fresh/bin/pip" install -q --disable-pip-version-check --no-index "$1"
	ERRARE_TABLES=$2 "$target/python-fresh/bin/python" -I -c '
import errare
assert errare.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", metric="dtm").plies == 31'
}

# Runs the tests on a wheel, in the environment that has what they need.
test_wheel() {
	wheel=$1 tables=$2
	shift 2
	try_wheel "$wheel" "$tables"
	"$python" -m pip install -q --disable-pip-version-check --no-deps --force-reinstall "$wheel"
	cd "$root/python"
	# From here Python would find the sources instead of what is installed.
	ERRARE_BIN=$program ERRARE_TABLES=$tables ERRARE_LOOP=$target/release/examples/rust_loop PYTHONSAFEPATH=1 \
		"$python" -m pytest --durations=8 --doctest-modules --doctest-glob='*.md' --pyargs errare README.md ../docs/src/python.md tests "$@"
}

absolute() {
	mkdir -p "$1" && cd "$1" && pwd
}

case $1 in
package) for_package "$2" requirements.txt ;;
test)
	python=$(for_package install requirements.txt)
	[ -n "$python" ] || exit 0
	set -e
	program=$2
	# `cargo test` leaves it in deps, `cargo build` beside the program.
	library=$(ls -t "$target"/release/liberrare_native.* "$target"/release/deps/liberrare_native.* 2>/dev/null |
		grep -E '\.(so|dylib)$' | head -n 1)
	wheel=$(python3 "$root/python/tools/wheel.py" "$library" "$target/wheels")
	tables=$(absolute "$3")
	test_wheel "$wheel" "$tables"
	;;
test-full)
	python=$(for_package install requirements-full.txt)
	[ -n "$python" ] || exit 0
	set -e
	program=$2
	"$python" -m pip wheel -q --disable-pip-version-check --no-deps --wheel-dir "$target/wheels/maturin" "$root/python"
	tables=$(absolute "$3")
	test_wheel "$(ls -t "$target"/wheels/maturin/errare-*.whl | head -n 1)" "$tables" --full
	;;
*) client "$1" ;;
esac
