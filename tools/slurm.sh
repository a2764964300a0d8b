#!/bin/sh
# A Slurm of one's own on this machine, for tests: several nodes on loopback, each a slurmd of its own.
#   tools/slurm.sh install        installs Debian's slurmctld, slurmd, slurm-client and munge, as root; where they cannot be
#                                 had, prints the flag by which cargo's tests leave Slurm out, and says on stderr what that means
#   tools/slurm.sh start DIR [N]  starts munged, slurmctld and N nodes (3), with everything they write in DIR
#   tools/slurm.sh kill DIR NODE  ends a node as a power cut does: its slurmd and all that it runs, by SIGKILL
#   tools/slurm.sh revive DIR NODE
#   tools/slurm.sh stop DIR       ends all of it
# Programs use it by SLURM_CONF=DIR/slurm.conf. It answers on loopback only, to this user only, and needs no root to run.

set -eu
PATH=$PATH:/usr/sbin

fail() {
	echo "tools/slurm.sh: $*" >&2
	exit 1
}

# Ports that nobody listens on, below the range that the system gives to clients. Some other program may take one before
# Slurm does; the start fails then, and says so.
free_ports() {
	python3 - "$1" <<'PYTHON'
import random, socket, sys
found = []
while len(found) < int(sys.argv[1]):
    port = random.randrange(20000, 32000)
    with socket.socket() as probe:
        if port not in found and probe.connect_ex(("127.0.0.1", port)) != 0:
            found.append(port)
print(*found)
PYTHON
}

write_config() {
	user=$(id -un)
	set -- $(free_ports $((nodes + 1)))
	cat >"$dir/slurm.conf" <<CONF
ClusterName=errare
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdPidFile=$dir/%n.pid
SlurmdLogFile=$dir/%n.log
SlurmdSpoolDir=$dir/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=0,requeue_setup_env_fail
ReturnToService=2
# A node that does not answer for so long is down, and its jobs are queued again.
SlurmdTimeout=10
MessageTimeout=5
KillWait=2
MinJobAge=300
CONF
	shift
	number=1
	for port in "$@"; do
		echo "NodeName=n$number NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port CPUs=2 RealMemory=4000 State=UNKNOWN"
		number=$((number + 1))
	done >>"$dir/slurm.conf"
	echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$dir/slurm.conf"
	echo 'CgroupPlugin=autodetect' >"$dir/cgroup.conf"
}

start_node() {
	mkdir -p "$dir/spool.$1"
	SLURM_CONF=$dir/slurm.conf slurmd -N "$1" -f "$dir/slurm.conf" || fail "slurmd $1 does not start: see $dir/$1.log"
}

# All that descends from a process, the process last.
family() {
	for child in $(ps -o pid= --ppid "$1"); do
		family "$child"
	done
	echo "$1"
}

start() {
	log=$(mktemp)
	have || fail "$(cat "$log"): \`tools/slurm.sh install\` installs it, as root"
	rm -f "$log"
	mkdir -p "$dir/state"
	chmod 700 "$dir"
	head -c 1024 /dev/urandom >"$dir/munge.key"
	chmod 400 "$dir/munge.key"
	# A group may write to /tmp and to shared folders above; munged warns of that, and would refuse without --force.
	munged --force --num-threads=2 --socket="$dir/munge.socket" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" \
		--log-file="$dir/munged.log" --seed-file="$dir/munged.seed" 2>"$dir/munged.err" || fail "munged does not start: $(cat "$dir/munged.err")"
	write_config
	slurmctld -f "$dir/slurm.conf" || fail "slurmctld does not start: see $dir/slurmctld.log"
	for number in $(seq "$nodes"); do
		start_node "n$number"
	done
	for try in $(seq 60); do
		idle=$(SLURM_CONF=$dir/slurm.conf sinfo --noheader --Node --format='%N %t' 2>/dev/null | grep -c ' idle$' || true)
		[ "$idle" -eq "$nodes" ] && return
		sleep 0.5
	done
	stop
	fail "only ${idle:-0} of $nodes nodes came up: see $dir/slurmctld.log"
}

# The steps of a node are processes that its slurmd has let go of. They run scripts from the node's spool folder.
kill_node() {
	[ -f "$dir/$1.pid" ] || fail "there is no node $1 in $dir"
	victims=$(cat "$dir/$1.pid")
	for step in $(ps -eo ppid=,args= | awk -v script="$dir/spool.$1/job" '$2 != "awk" && index($0, script) {print $1}'); do
		[ "$step" -gt 1 ] && victims="$victims $(family "$step")"
	done
	# A step may end by itself just now.
	kill -9 $victims 2>/dev/null || true
	rm -f "$dir/$1.pid"
}

stop() {
	for file in "$dir"/n*.pid "$dir/slurmctld.pid" "$dir/munged.pid"; do
		[ -f "$file" ] && kill "$(cat "$file")" 2>/dev/null || true
	done
}

have() {
	for program in munged slurmctld slurmd sbatch squeue scontrol; do
		command -v $program >/dev/null || { echo "there is no $program" >"$log"; return 1; }
	done
}

command=${1:-}
case $command in
install | '')
	. "$(dirname "$0")/package.sh"
	package="slurmctld slurmd slurm-client munge"
	install() {
		export DEBIAN_FRONTEND=noninteractive
		apt-get install -y -q --no-install-recommends $package >"$log" 2>&1
	}
	obtain "$command" && exit
	echo "--skip slurm::"
	shout "SLURM IS LEFT OUT: runs on a cluster are NOT tested with it." "Why: $reason"
	exit
	;;
start | stop | kill | revive) ;;
*) fail "expected install, start, kill, revive or stop" ;;
esac
[ -n "${2:-}" ] || fail "$command: which folder?"
mkdir -p "$2"
dir=$(cd "$2" && pwd)
case $command in
start)
	nodes=${3:-3}
	start
	;;
stop) stop ;;
kill) kill_node "$3" ;;
revive) start_node "$3" ;;
esac
