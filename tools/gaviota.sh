#!/bin/sh
# Prints the flags with which cargo builds the reader of Gaviota tables, if its C library is there.
# `tools/gaviota.sh install` first installs it where that is allowed: as root, with apt-get.
# Where it cannot be had nothing is printed, and stderr says what that means.

. "$(dirname "$0")/package.sh"
package=libgaviotatb-dev

have() {
	echo 'int main(void) { return 0; }' | cc -x c - -lgaviotatb -o /dev/null 2>"$log"
}

if obtain "$1"; then
	echo --features gaviota
else
	shout "GAVIOTA TABLES ARE LEFT OUT: their tests are NOT run." "Why: $reason"
fi
