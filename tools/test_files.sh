#!/bin/sh
# Says which files of tests belong to no test binary: `tests/main.rs` names those of a crate, Cargo.toml those that stand alone.

cd "$(dirname "$0")/.." || exit 1
forgotten=
for file in crates/*/tests/*.rs; do
	crate=${file%/tests/*}
	name=$(basename "$file" .rs)
	[ -f "$crate/tests/main.rs" ] || continue
	grep -qx "mod $name;" "$crate/tests/main.rs" || grep -qx "path = \"tests/$name.rs\"" "$crate/Cargo.toml" || forgotten="$forgotten $file"
done
[ -z "$forgotten" ] || { echo "These tests are never run, for no test binary names them:$forgotten" >&2; exit 1; }
