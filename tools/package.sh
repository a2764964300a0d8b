# Shared by the scripts beside it, which source it: whether a package that the tests can use is there, how it is
# installed, and how loudly to say that it is missing. A script sets `package` and defines `have`, which writes to "$log".

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# Installs the Debian package.
install() {
	{
		export DEBIAN_FRONTEND=noninteractive
		apt-get install -y -q "$package" || { apt-get update -q && apt-get install -y -q "$package"; }
	} >"$log" 2>&1
}

# Succeeds if the package is there, after installing it if the argument is `install`; else `reason` says why not.
obtain() {
	have && return
	if [ "$1" != install ]; then
		reason="$package is not installed"
	elif ! command -v apt-get >/dev/null; then
		reason="there is no apt-get to install $package with"
	elif [ "$(id -u)" != 0 ]; then
		reason="$package is not installed, and only root may install it"
	elif ! install; then
		reason="$package could not be installed: $(tail -n 1 "$log")"
	elif ! have; then
		reason="$package is installed but cannot be used: $(tail -n 1 "$log")"
	else
		return 0
	fi
	return 1
}

shout() {
	echo "****************************************************************" >&2
	for line; do echo "*** $line" >&2; done
	echo "****************************************************************" >&2
}
