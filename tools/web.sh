#!/bin/sh
# Checks the front end in web/, which needs Node.
#   tools/web.sh install         installs its packages, exactly those of package-lock.json
#   tools/web.sh check PROGRAM   types, and whether the committed bundle and types are those of the sources and the program
#   tools/web.sh test PROGRAM    drives the workbench of a program with the system's browser
#   tools/web.sh speed PROGRAM   measures how fast it answers; nothing else should run beside
# Where there is no Node that is said, and nothing is checked.

. "$(dirname "$0")/package.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root/web" || exit 1

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	shout "THE FRONT END IS LEFT OUT: it is NOT checked." "Why: there is no Node (node and npm)"
	exit 0
fi

# npm 10 cannot install the optional packages of Vite 8 that hold its compiled parts.
packages() {
	case $(npm --version) in
	[0-9].* | 10.*) npx --yes npm@11 ci --no-fund --no-audit ;;
	*) npm ci --no-fund --no-audit ;;
	esac
}

fail() {
	echo "$*" >&2
	exit 1
}

# The bundle is committed, so that `cargo install` needs no Node; it has to be what the sources give.
check() {
	npm run --silent check || exit 1
	made=$(mktemp -d) || exit 1
	trap 'rm -rf "$made" "$log"' EXIT
	npm run --silent build -- --outDir "$made/bundle" --emptyOutDir --logLevel warn || exit 1
	diff -r "$made/bundle" "$root/crates/errare-server/bundle" >"$log" ||
		fail "The committed bundle is not that of web/: run \`npm run build\` there and commit it." "$(head -n 5 "$log")"
	cp src/lib/types.ts "$made/types.ts"
	ERRARE_BIN=$1 npm run --silent types || exit 1
	cmp -s "$made/types.ts" src/lib/types.ts ||
		fail "web/src/lib/types.ts is not that of the lab's schemas: it has been made anew, commit it."
}

drive() {
	browser=$("$root/tools/chromium.sh" install)
	[ -z "$browser" ] || CHROMIUM=$browser ERRARE_BIN=$2 npm run "$1"
}

case $1 in
install) packages ;;
check) check "$2" ;;
test | speed) drive "$1" "$2" ;;
*) fail "expected install, check PROGRAM, test PROGRAM or speed PROGRAM" ;;
esac
