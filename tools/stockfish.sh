#!/bin/sh
# Prints the flags with which cargo tests against Stockfish, if it is there: `stockfish` among the commands or in
# /usr/games, or whatever file ERRARE_STOCKFISH names.
# `tools/stockfish.sh install` first installs it where that is allowed: as root, with apt-get.
# Where it cannot be had nothing is printed, and stderr says what that means. Evaluations are compared with those of one
# version; with another the rest is tested.

package=stockfish
version=15.1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

have() {
	engine=${ERRARE_STOCKFISH:-$(PATH=$PATH:/usr/games command -v stockfish)}
	[ -n "$engine" ] && "$engine" quit >"$log" 2>&1
}

install() {
	{
		export DEBIAN_FRONTEND=noninteractive
		apt-get install -y -q $package || { apt-get update -q && apt-get install -y -q $package; }
	} >"$log" 2>&1
}

shout() {
	echo "****************************************************************" >&2
	for line; do echo "*** $line" >&2; done
	echo "****************************************************************" >&2
}

flags() {
	if grep -q "^Stockfish $version " "$log"; then
		echo --features stockfish-15-1
	else
		echo --features stockfish-tests
		shout "STOCKFISH'S EVALUATIONS ARE NOT COMPARED: they are those of $version." "Here is: $(head -n 1 "$log")"
	fi
	exit
}

have && flags

if [ -n "$ERRARE_STOCKFISH" ]; then
	reason="$ERRARE_STOCKFISH, which ERRARE_STOCKFISH names, does not run"
elif [ "$1" != install ]; then
	reason="$package is not installed"
elif ! command -v apt-get >/dev/null; then
	reason="there is no apt-get to install $package with"
elif [ "$(id -u)" != 0 ]; then
	reason="$package is not installed, and only root may install it"
elif ! install; then
	reason="$package could not be installed: $(tail -n 1 "$log")"
elif ! have; then
	reason="$package is installed but does not run: $(tail -n 1 "$log")"
else
	flags
fi
shout "STOCKFISH IS LEFT OUT: its tests are NOT run." "Why: $reason"
