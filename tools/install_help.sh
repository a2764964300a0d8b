#!/bin/sh
# Installs the manual pages and the shell completions of errare.
#   tools/install_help.sh           for you alone, under ~/.local
#   tools/install_help.sh PREFIX    for everybody, under PREFIX, such as /usr/local
# ERRARE names the program, if it is not in PATH.

set -eu
prefix=${1:-$HOME/.local}
program=${ERRARE:-errare}
command -v "$program" >/dev/null || { echo "There is no program $program: install it first, by \`cargo install --path crates/errare\`." >&2; exit 1; }

pages=$prefix/share/man/man1
mkdir -p "$pages" "$prefix/share/bash-completion/completions" "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"

# The names of the commands below one: the indented words of its help.
commands() {
	"$program" "$@" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | grep -vx help
}

page() {
	"$program" man "$@" >"$pages/$(printf 'errare'; [ $# -eq 0 ] || printf -- '-%s' "$@").1"
}

page
for command in $(commands); do
	page "$command"
	for part in $("$program" "$command" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\)  .*/\1/p' | grep -vx help); do
		page "$command" "$part"
	done
done
"$program" completions bash >"$prefix/share/bash-completion/completions/errare"
"$program" completions zsh >"$prefix/share/zsh/site-functions/_errare"
"$program" completions fish >"$prefix/share/fish/vendor_completions.d/errare.fish"
echo "Installed $(ls "$pages" | grep -c '^errare') manual pages and the completions of bash, zsh and fish under $prefix/share."
