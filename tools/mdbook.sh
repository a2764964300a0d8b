#!/bin/sh
# Prints the path of mdBook, which makes the book. Where there is none it is compiled into target/tools, once: some minutes.

cd "$(dirname "$0")/.." || exit 1
if command -v mdbook; then exit 0; fi
tools=${CARGO_TARGET_DIR:-target}/tools
[ -x "$tools/bin/mdbook" ] || cargo install --quiet --locked --root "$tools" mdbook --version 0.5.4 --no-default-features >&2 || exit 1
echo "$tools/bin/mdbook"
