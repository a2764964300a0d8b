#!/bin/sh
# Prints the Python of a virtual environment under target/ that has python-chess, which plays against our engine.
# `tools/python.sh install` first makes it and installs the package from PyPI.
# Where it cannot be had nothing is printed, and stderr says what that means.

package=chess==1.11.2
folder=${CARGO_TARGET_DIR:-target}/python
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

have() {
	"$folder/bin/python" -c 'import chess.engine' 2>"$log"
}

install() {
	{ python3 -m venv "$folder" && "$folder/bin/pip" install -q $package; } >"$log" 2>&1
}

if have; then
	echo "$folder/bin/python"
	exit
fi

if [ "$1" != install ]; then
	reason="python-chess is not installed in $folder"
elif ! command -v python3 >/dev/null; then
	reason="there is no python3"
elif ! install; then
	reason="$package could not be installed in $folder: $(tail -n 1 "$log")"
elif ! have; then
	reason="$package is installed but does not run: $(tail -n 1 "$log")"
else
	echo "$folder/bin/python"
	exit
fi
echo "****************************************************************" >&2
echo "*** PYTHON-CHESS IS LEFT OUT: the engine is NOT tested with it." >&2
echo "*** Why: $reason" >&2
echo "****************************************************************" >&2
