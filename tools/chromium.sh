#!/bin/sh
# Prints the path of Chromium, which tests drive the workbench with; CHROMIUM may name another.
# `tools/chromium.sh install` first installs it where that is allowed: as root, with apt-get.
# Where it cannot be had nothing is printed, and stderr says what that means.

. "$(dirname "$0")/package.sh"
package=chromium

have() {
	browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
	[ -n "$browser" ] && "$browser" --version >"$log" 2>&1
}

if obtain "$1"; then
	echo "$browser"
else
	shout "THE BROWSER IS LEFT OUT: the workbench is NOT tested." "Why: $reason"
fi
