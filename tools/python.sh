#!/bin/sh
# Prints the Python of a virtual environment under target/ that has python-chess, which plays against our engine.
# `tools/python.sh install` first makes it and installs the package from PyPI.
# Where it cannot be had nothing is printed, and stderr says what that means.

. "$(dirname "$0")/package.sh"
package=chess==1.11.2
folder=${CARGO_TARGET_DIR:-target}/python

have() {
	"$folder/bin/python" -c 'import chess.engine' 2>"$log"
}

if have; then
	:
elif [ "$1" != install ]; then
	reason="python-chess is not installed in $folder"
elif ! { python3 -m venv "$folder" && "$folder/bin/pip" install -q $package; } >"$log" 2>&1; then
	reason="$package could not be installed in $folder: $(tail -n 1 "$log")"
elif ! have; then
	reason="$package is installed but does not run: $(tail -n 1 "$log")"
fi

if [ -z "$reason" ]; then
	echo "$folder/bin/python"
else
	shout "PYTHON-CHESS IS LEFT OUT: the engine is NOT tested with it." "Why: $reason"
fi
