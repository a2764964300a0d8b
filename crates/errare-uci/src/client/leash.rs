//! An engine must not outlive us, nor what it started, and a Ctrl-C at the terminal is for us alone.
//!
//! The child gets a process group of its own: the terminal sends SIGINT to ours only, so a search can still be stopped
//! and a game finished. Nothing else would then end the child if we are killed. Its standard input closes, and most
//! engines quit by that, but not one that hangs; so on Linux the kernel is asked to kill it when we end. The kernel takes
//! "we" to be the thread that started the child. Hence the thread that reads an engine's output starts it, and ends no
//! earlier than it.
//!
//! An engine's end is the end of all that it started:
//!
//! | system | what is killed with an engine |
//! | --- | --- |
//! | Unix | its process group, even if the engine itself has ended |
//! | Linux | also processes that left the group (`setsid`, a daemon's double fork): descendants, and all that carry the mark that the engine got in its environment |
//! | others | the engine alone |
//!
//! What is not possible: on Linux a process escapes that leaves the group, loses its ancestors and has another
//! environment; elsewhere on Unix it is enough to leave the group. Only a control group would hold them, which takes
//! rights that users do not have. And if we are killed by SIGKILL, Linux kills the engine, but what it started has to
//! notice by itself.

use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable of the environment that marks an engine and all that it starts.
const VARIABLE: &str = "ERRARE_ENGINE";

/// The mark by which an engine and its descendants are recognised among all processes.
#[derive(Clone, Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// A mark that nobody else has. Where we are an engine ourselves the mark continues our own, so that whoever
    /// started us finds our engines too.
    fn new() -> Mark {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = format!("{}-{:x}-{number}", std::process::id(), since.as_nanos());
        Mark(std::env::var(VARIABLE).map_or_else(|_| own.clone(), |ours| format!("{ours}/{own}")))
    }
}

/// Prepares the command that will start a child, and returns the mark that the child and its descendants will carry.
pub(super) fn prepare(command: &mut Command) -> Mark {
    let mark = Mark::new();
    command.env(VARIABLE, &mark.0);
    #[cfg(unix)]
    tie(command);
    mark
}

#[cfg(unix)]
fn tie(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        let die_with_parent = move || {
            // SAFETY: both calls take and give plain numbers and are safe between fork and exec.
            let (asked, now) = unsafe { (libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL), libc::getppid()) };
            if asked != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // We may have ended before the kernel was asked.
            if u32::try_from(now) == Ok(parent) { Ok(()) } else { Err(std::io::ErrorKind::NotConnected.into()) }
        };
        // SAFETY: the closure allocates nothing, takes no locks and touches no memory but its own.
        unsafe { command.pre_exec(die_with_parent) };
    }
}

/// Whether a child that nobody has waited for has ended. The child is not waited for: until then its number, which is
/// that of its group too, belongs to no other process.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    // SAFETY: the structure is plain numbers, of which zeros are valid; the call fills it in.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child.id() as libc::id_t, &raw mut info, flags) == 0 && info.si_pid() != 0
    }
}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

/// Kills a child that has not been waited for, whether or not it has ended, and the processes that it started in turn.
pub(super) fn kill(child: &mut Child, mark: &Mark) {
    // Children of an ended process have lost it as their ancestor, so they are looked for first.
    #[cfg(target_os = "linux")]
    let descendants = runaways::find(child.id(), mark);
    #[cfg(unix)]
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: a plain system call. The number is the group's as long as nobody has waited for the child.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    // It has ended already if this fails.
    drop(child.kill());
    #[cfg(target_os = "linux")]
    runaways::kill(descendants, child.id(), mark);
    #[cfg(not(target_os = "linux"))]
    let _ = mark;
}

/// Processes that an engine started and that left its group.
#[cfg(target_os = "linux")]
mod runaways {
    use super::{Mark, VARIABLE};
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;

    /// How often processes are looked for again, since those found may have started others meanwhile.
    const ROUNDS: usize = 10;

    /// The descendants of a process and all that carry the mark, with their descendants; without those that have ended.
    pub fn find(root: u32, mark: &Mark) -> BTreeSet<u32> {
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut next = vec![root];
        let ours = std::process::id();
        for process in processes().filter(|process| *process != ours) {
            let Some(parent) = living_parent(process) else { continue };
            children.entry(parent).or_default().push(process);
            if carries(process, mark) {
                next.push(process);
            }
        }
        let mut found = BTreeSet::new();
        while let Some(process) = next.pop() {
            if found.insert(process) {
                next.extend(children.get(&process).into_iter().flatten());
            }
        }
        found.remove(&root);
        found
    }

    pub fn kill(mut found: BTreeSet<u32>, root: u32, mark: &Mark) {
        for _ in 0..ROUNDS {
            if found.is_empty() {
                return;
            }
            for process in found {
                if let Ok(process) = libc::pid_t::try_from(process) {
                    // SAFETY: a plain system call.
                    unsafe { libc::kill(process, libc::SIGKILL) };
                }
            }
            found = find(root, mark);
        }
    }

    fn processes() -> impl Iterator<Item = u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// The parent of a process; none if the process has ended.
    fn living_parent(process: u32) -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name before it, in brackets, may hold anything.
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        let state = fields.next()?;
        if matches!(state, "Z" | "X") { None } else { fields.next()?.parse().ok() }
    }

    fn carries(process: u32, mark: &Mark) -> bool {
        // The environments of other users' processes cannot be read; none of them is ours.
        let Ok(environment) = fs::read(format!("/proc/{process}/environ")) else { return false };
        let wanted = format!("{VARIABLE}={}", mark.0);
        let is_ours = |rest: &[u8]| rest.is_empty() || rest.starts_with(b"/");
        environment.split(|&byte| byte == 0).any(|entry| entry.strip_prefix(wanted.as_bytes()).is_some_and(is_ours))
    }
}
