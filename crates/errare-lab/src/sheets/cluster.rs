//! Sheets of operations on many machines.

use crate::csv_cell::{cell, exact};
use crate::sheet::{Sheet, ToSheet};
use crate::{ClusterForecastResponse, ClusterRunResponse, ClusterStatusResponse};

impl ToSheet for ClusterRunResponse {
    /// Makes a row for each job.
    fn to_sheet(&self) -> Sheet {
        let mut sheet =
            Sheet::new(&["number", "name", "level", "needs", "cpus", "memory_bytes", "minutes", "cpu_seconds"]);
        for job in &self.jobs {
            let needs: Vec<String> = job.needs.iter().map(ToString::to_string).collect();
            sheet.push([
                job.number.to_string(),
                job.name.clone(),
                job.level.to_string(),
                needs.join(" "),
                job.cpus.to_string(),
                job.memory_bytes.to_string(),
                job.minutes.to_string(),
                exact(job.cpu_seconds),
            ]);
        }
        sheet
    }
}

impl ToSheet for ClusterStatusResponse {
    /// Makes a row for each job.
    fn to_sheet(&self) -> Sheet {
        let columns =
            ["number", "name", "state", "slurm_id", "slurm_state", "submitted", "attempts", "host", "seconds", "error"];
        let mut sheet = Sheet::new(&columns);
        for job in &self.jobs {
            sheet.push([
                job.number.to_string(),
                job.name.clone(),
                job.state.clone(),
                cell(job.slurm_id.as_ref()),
                cell(job.slurm_state.as_ref()),
                job.submitted.to_string(),
                job.attempts.to_string(),
                cell(job.host.as_ref()),
                cell(job.seconds.map(exact)),
                cell(job.error.as_ref()),
            ]);
        }
        sheet
    }
}

impl ToSheet for ClusterForecastResponse {
    /// Makes a row for each number of nodes.
    fn to_sheet(&self) -> Sheet {
        let columns = ["nodes", "hours", "busy", "jobs", "core_hours", "bytes", "longest_chain_hours", "jobs_per_node"];
        let mut sheet = Sheet::new(&columns);
        for on in &self.on_nodes {
            sheet.push([
                on.nodes.to_string(),
                exact(on.hours),
                exact(on.busy),
                self.jobs.to_string(),
                exact(self.core_hours),
                exact(self.bytes),
                exact(self.longest_chain_hours),
                self.jobs_per_node.to_string(),
            ]);
        }
        sheet
    }
}
