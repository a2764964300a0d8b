//! An engine must not outlive us, and a Ctrl-C at the terminal is for us alone.
//!
//! The child gets a process group of its own: the terminal sends SIGINT to ours only, so a search can still be stopped
//! and a game finished. Nothing else would then end the child if we are killed. Its standard input closes, and most
//! engines quit by that, but not one that hangs; so on Linux the kernel is asked to kill it when we end.
//!
//! The kernel takes "we" to be the thread that started the child. Hence the thread that reads an engine's output starts
//! it, and ends no earlier than it.

use std::process::{Child, Command};

/// To be called before the child is started.
#[cfg(unix)]
pub(super) fn prepare(command: &mut Command) {
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

/// Kills a child that has not been waited for, and what it started in turn.
#[cfg(unix)]
pub(super) fn kill(child: &mut Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: a plain system call. The number is the child's as long as nobody has waited for it.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
pub(super) fn prepare(_: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn kill(child: &mut Child) {
    // It has ended by itself then.
    drop(child.kill());
}
