//! Runs on many machines as people see them.

use crate::{Format, Output, OutputError};
use errare_lab::{ClusterRunResponse, ClusterStatusResponse, ClusterSystem, Sheet, ToSheet, cell};

/// Most jobs that are listed.
const LISTED: usize = 40;

/// Writes what was planned and started: for xargs the numbers of jobs, of a dry run the files.
///
/// # Errors
/// If it cannot be written.
pub fn cluster_run(found: &ClusterRunResponse, system: &ClusterSystem, format: Format) -> Result<(), OutputError> {
    let mut output = Output::stdout();
    match (format, system) {
        (Format::Json, _) => output.json(found),
        (Format::Csv, _) => output.csv(&found.to_sheet()),
        (Format::Table, ClusterSystem::Xargs) => output.lines(found.open.iter().map(ToString::to_string)),
        (Format::Table, _) if found.dry_run => found.files.iter().try_for_each(|file| {
            output.line(&format!("# {}", found.folder.join(&file.name).display()))?;
            output.lines(file.text.lines())
        }),
        (Format::Table, _) => output.lines(found.sentences()),
    }
}

/// Writes how far a run is, and the jobs that are not done.
///
/// # Errors
/// If it cannot be written.
pub fn cluster_status(output: &mut Output, found: &ClusterStatusResponse) -> Result<(), OutputError> {
    let mut sheet = Sheet::new(&["job", "name", "state", "Slurm", "attempts", "machine"]);
    let open: Vec<_> = found.jobs.iter().filter(|job| job.state != "done").collect();
    for job in open.iter().take(LISTED) {
        let slurm = [job.slurm_id.as_deref(), job.slurm_state.as_deref()];
        let words: Vec<&str> = slurm.into_iter().flatten().collect();
        sheet.push([
            job.number.to_string(),
            job.name.clone(),
            job.state.clone(),
            words.join(" "),
            job.attempts.to_string(),
            cell(job.host.as_ref()),
        ]);
    }
    if !open.is_empty() {
        output.table(&sheet)?;
        if open.len() > LISTED {
            output.line(&format!("and {} more", open.len() - LISTED))?;
        }
        output.line("")?;
    }
    output.lines(found.sentences())
}
