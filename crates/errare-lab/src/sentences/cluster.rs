//! Runs on many machines in plain sentences.

use crate::numbers::{counted, grouped};
use crate::{
    ClusterForecastResponse, ClusterResumeResponse, ClusterRunResponse, ClusterStatusResponse, ClusterWorkResponse,
};

impl ClusterRunResponse {
    /// Describes what was planned and submitted, and what to do next.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let levels = self.jobs.iter().map(|job| job.level + 1).max().unwrap_or(0);
        let mut lines = vec![format!(
            "{} in {}, {} of them not done",
            counted(self.jobs.len(), "job"),
            counted(levels, "level"),
            grouped(self.open.len() as u64)
        )];
        if self.cpu_seconds > 0.0 {
            let (all, chain) = (hours(self.cpu_seconds / 3600.0), hours(self.longest_chain_seconds / 3600.0));
            lines.push(format!("estimated work: {all} of one processor, the longest chain of jobs {chain}"));
        }
        let folder = self.folder.display();
        if self.files.iter().any(|file| file.name.starts_with("kubernetes/")) {
            lines.push(format!(
                "apply one after the other: for file in {folder}/kubernetes/level-*.json; do kubectl apply -f \"$file\" && \
                 kubectl wait --for=condition=complete --timeout=-1s -f \"$file\" || break; done"
            ));
        } else {
            lines.push(format!("submitted {} to Slurm", counted(self.submitted, "job")));
        }
        lines.push(format!("how far it is: errare cluster status {folder}"));
        lines
    }
}

impl ClusterStatusResponse {
    /// Describes the jobs that are in each state.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let states: Vec<String> =
            self.states.iter().map(|(state, count)| format!("{} {state}", grouped(*count))).collect();
        let percent = (self.share * 100.0).floor();
        let mut lines = vec![format!(
            "{}: {}; {percent} % of the work is done",
            counted(self.jobs.len(), "job"),
            states.join(", ")
        )];
        let is_wrong = |state: &str| matches!(state, "failed" | "lost" | "stopped");
        for job in self.jobs.iter().filter(|job| is_wrong(&job.state)).take(10) {
            let slurm = job.slurm_state.as_ref().map(|state| format!(" ({state})")).unwrap_or_default();
            let error = job.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
            lines.push(format!("{} is {}{slurm}{error}", job.name, job.state));
        }
        if self.has_trouble() {
            lines.push(format!("submit them again: errare cluster resume {}", self.folder.display()));
        }
        lines
    }

    /// Whether some jobs failed, are lost or were stopped.
    #[must_use]
    pub fn has_trouble(&self) -> bool {
        ["failed", "lost", "stopped"].iter().any(|&state| self.states.contains_key(state))
    }
}

impl ClusterResumeResponse {
    /// Describes what was submitted again, and how far the run is.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = vec![format!("submitted {} again", counted(self.submitted, "job"))];
        if !self.given_up.is_empty() {
            let names = self.given_up.join(", ");
            lines.push(format!("given up, as they were submitted too often (--tries allows more): {names}"));
        }
        lines.extend(self.status.sentences());
        lines
    }
}

impl ClusterWorkResponse {
    /// Describes the result of a job.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.seconds {
            Some(seconds) if !self.was_done => format!("{} is done, in {seconds:.1} s", self.name),
            _ => format!("{} was done before", self.name),
        }
    }
}

impl ClusterForecastResponse {
    /// Describes what a run takes as a whole.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{}, {} of one processor", counted(self.jobs, "job"), hours(self.core_hours)),
            format!(
                "{} GB of files; a job takes {} GB of memory, {} run on a node at once",
                decimals(self.bytes / 1e9),
                decimals(self.job_memory_bytes as f64 / 1e9),
                counted(self.jobs_per_node, "job")
            ),
            format!("longest chain of jobs: {}", hours(self.longest_chain_hours)),
        ];
        if (self.work_factor, self.size_factor) != (1.0, 1.0) {
            lines.push(format!(
                "by measured tables, estimates of work are multiplied by {:.2}, of size by {:.2}",
                self.work_factor, self.size_factor
            ));
        }
        for on in &self.on_nodes {
            let nodes = counted(on.nodes, "node");
            lines.push(format!("on {nodes}: {}, places busy {:.0} % of it", hours(on.hours), on.busy * 100.0));
        }
        lines
    }
}

/// Formats hours in the unit that reads best.
fn hours(hours: f64) -> String {
    match hours {
        ..0.1 => format!("{} s", decimals(hours * 3600.0)),
        0.1..2.0 => format!("{} min", decimals(hours * 60.0)),
        2.0..10_000.0 => format!("{} h", decimals(hours)),
        _ => format!("{} h", grouped(hours.round() as u64)),
    }
}

/// Formats a number with three digits or more.
fn decimals(number: f64) -> String {
    match number {
        ..10.0 => format!("{number:.2}"),
        10.0..100.0 => format!("{number:.1}"),
        _ => grouped(number.round() as u64),
    }
}
