#!/bin/sh
# Prints the flags with which cargo tests against Stockfish, if it is there: `stockfish` among the commands or in
# /usr/games, or whatever file ERRARE_STOCKFISH names.
# `tools/stockfish.sh install` first installs it where that is allowed: as root, with apt-get.
# Where it cannot be had nothing is printed, and stderr says what that means. Evaluations are compared with those of one
# version; with another the rest is tested.

. "$(dirname "$0")/package.sh"
package=stockfish
version=15.1

have() {
	engine=${ERRARE_STOCKFISH:-$(PATH=$PATH:/usr/games command -v stockfish)}
	[ -n "$engine" ] && "$engine" quit >"$log" 2>&1
}

if [ -n "$ERRARE_STOCKFISH" ] && ! have; then
	shout "STOCKFISH IS LEFT OUT: its tests are NOT run." "Why: $ERRARE_STOCKFISH, which ERRARE_STOCKFISH names, does not run"
elif ! obtain "$1"; then
	shout "STOCKFISH IS LEFT OUT: its tests are NOT run." "Why: $reason"
elif grep -q "^Stockfish $version " "$log"; then
	echo --features stockfish-15-1
else
	echo --features stockfish-tests
	shout "STOCKFISH'S EVALUATIONS ARE NOT COMPARED: they are those of $version." "Here is: $(head -n 1 "$log")"
fi
