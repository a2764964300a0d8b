#!/bin/sh
# Checks manifests of Kubernetes against the schemas that its project publishes: tools/kubernetes.sh check FILE...
# `tools/kubernetes.sh install` first installs the checker from PyPI, in a virtual environment under target/.
# Where it cannot be had, nothing is checked, and stderr says what that means.

. "$(dirname "$0")/package.sh"
package=kubernetes-validate==1.37.0
folder=${CARGO_TARGET_DIR:-target}/kubernetes-validate
# The oldest and the newest version whose indexed Jobs have all that we write.
versions="1.33.0 1.37.0"

have() {
	"$folder/bin/kubernetes-validate" --version >"$log" 2>&1
}

if have; then
	:
elif [ "$1" != install ]; then
	reason="kubernetes-validate is not installed in $folder"
elif ! { python3 -m venv "$folder" && "$folder/bin/pip" install -q $package; } >"$log" 2>&1; then
	reason="$package could not be installed in $folder: $(tail -n 1 "$log")"
elif ! have; then
	reason="$package is installed but does not run: $(tail -n 1 "$log")"
fi
if [ -n "$reason" ]; then
	shout "MANIFESTS OF KUBERNETES ARE NOT CHECKED." "Why: $reason"
elif [ "$1" = check ]; then
	shift
	for version in $versions; do
		"$folder/bin/kubernetes-validate" --strict --no-warn --kubernetes-version "$version" "$@" || exit 1
	done
fi
