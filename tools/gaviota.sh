#!/bin/sh
# Prints the flags with which cargo builds the reader of Gaviota tables, if its C library is there.
# `tools/gaviota.sh install` first installs it where that is allowed: as root, with apt-get.
# Where it cannot be had nothing is printed, and stderr says what that means.

package=libgaviotatb-dev
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

have() {
	echo 'int main(void) { return 0; }' | cc -x c - -lgaviotatb -o /dev/null 2>"$log"
}

install() {
	{
		export DEBIAN_FRONTEND=noninteractive
		apt-get install -y -q $package || { apt-get update -q && apt-get install -y -q $package; }
	} >"$log" 2>&1
}

if have; then
	echo --features gaviota
	exit
fi

if [ "$1" != install ]; then
	reason="$package is not installed"
elif ! command -v apt-get >/dev/null; then
	reason="there is no apt-get to install $package with"
elif [ "$(id -u)" != 0 ]; then
	reason="$package is not installed, and only root may install it"
elif ! install; then
	reason="$package could not be installed: $(tail -n 1 "$log")"
elif ! have; then
	reason="$package is installed but does not link: $(tail -n 1 "$log")"
else
	echo --features gaviota
	exit
fi
echo "****************************************************************" >&2
echo "*** GAVIOTA TABLES ARE LEFT OUT: their tests are NOT run." >&2
echo "*** Why: $reason" >&2
echo "****************************************************************" >&2
