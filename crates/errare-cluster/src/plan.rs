//! The plan of a run: its jobs, and which of them come before which.

use crate::error::ClusterError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;

/// What a job asks a scheduler for: processors, memory and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// Number of processors.
    pub cpus: u16,
    /// Bytes of memory, with a margin over what the job should need.
    pub memory_bytes: u64,
    /// Minutes of wall-clock, with a margin over what the job should need.
    pub minutes: u64,
}

/// One job of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// A name that is unique in its run and can be that of a file, such as `KQKR.dtc`.
    pub name: String,
    /// The numbers of the jobs that have to be done first, all of them smaller than the job's own number.
    pub needs: Vec<usize>,
    /// The processors, the memory and the time that the job asks for.
    pub resources: Resources,
    /// The work in CPU-seconds as far as it can be estimated, else 0.
    pub cpu_seconds: f64,
    /// Whether the job is one of many alike, which a scheduler can have as one job array.
    pub array: bool,
    /// The work of the job, as the program understands it.
    pub work: Value,
}

/// The jobs of a run, in an order in which one after the other could be done: by level, the longest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPlan {
    jobs: Vec<Job>,
}

impl RunPlan {
    /// Makes a plan of jobs each of which comes after those that it needs. They are put in the order of their levels, and
    /// within a level the longest first; so they are numbered anew.
    ///
    /// # Errors
    /// If a job needs one that does not come before it, a name comes twice or cannot be that of a file, or there are no jobs.
    pub fn new(jobs: Vec<Job>) -> Result<RunPlan, ClusterError> {
        check(&jobs)?;
        let levels = levels(&jobs);
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by(|&a, &b| {
            levels[a].cmp(&levels[b]).then_with(|| jobs[b].cpu_seconds.total_cmp(&jobs[a].cpu_seconds))
        });
        let mut number = vec![0; jobs.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
        let renumbered = |job: &Job| {
            let mut needs: Vec<usize> = job.needs.iter().map(|&needed| number[needed]).collect();
            needs.sort_unstable();
            needs.dedup();
            Job { needs, ..job.clone() }
        };
        Ok(RunPlan { jobs: order.iter().map(|&old| renumbered(&jobs[old])).collect() })
    }

    /// The jobs, by number.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// The numbers of the jobs of each level. Those of the first need no others, those of the next only some of earlier
    /// levels.
    #[must_use]
    pub fn levels(&self) -> Vec<Range<usize>> {
        let levels = levels(&self.jobs);
        let mut found: Vec<Range<usize>> = Vec::new();
        for (number, &level) in levels.iter().enumerate() {
            match found.last_mut() {
                Some(range) if levels[range.start] == level => range.end = number + 1,
                _ => found.push(number..number + 1),
            }
        }
        found
    }

    /// Checks a plan that was read from a file.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        check(&self.jobs)
    }
}

fn check(jobs: &[Job]) -> Result<(), ClusterError> {
    let mut names = HashSet::new();
    for (number, job) in jobs.iter().enumerate() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if job.name.is_empty() || job.name.starts_with('.') || job.name.len() > 100 || !job.name.chars().all(is_plain) {
            return Err(ClusterError::Name(job.name.clone()));
        }
        if !names.insert(&job.name) {
            return Err(ClusterError::SameName(job.name.clone()));
        }
        if let Some(&needed) = job.needs.iter().find(|&&needed| needed >= number) {
            return Err(ClusterError::Order { name: job.name.clone(), needed });
        }
    }
    if jobs.is_empty() { Err(ClusterError::NoJobs) } else { Ok(()) }
}

/// The level of each job: one more than the highest of those that it needs.
fn levels(jobs: &[Job]) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::with_capacity(jobs.len());
    for job in jobs {
        let below = job.needs.iter().filter_map(|&needed| levels.get(needed)).max();
        levels.push(below.map_or(0, |level| level + 1));
    }
    levels
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn job(name: &str, needs: &[usize], cpu_seconds: f64) -> Job {
        Job {
            name: name.to_owned(),
            needs: needs.to_vec(),
            resources: Resources { cpus: 2, memory_bytes: 3 << 20, minutes: 5 },
            cpu_seconds,
            array: false,
            work: Value::Null,
        }
    }

    #[test]
    fn jobs_are_numbered_by_level_the_longest_first() {
        let jobs = vec![job("a", &[], 1.0), job("b", &[0], 1.0), job("c", &[], 2.0), job("d", &[1, 2], 1.0)];
        let plan = RunPlan::new(jobs).unwrap();
        let names: Vec<&str> = plan.jobs().iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["c", "a", "b", "d"]);
        let needs: Vec<&[usize]> = plan.jobs().iter().map(|job| job.needs.as_slice()).collect();
        assert_eq!(needs, [&[][..], &[], &[1], &[0, 2]]);
        assert_eq!(plan.levels(), [0..2, 2..3, 3..4]);
    }

    #[test]
    fn plans_that_cannot_be_followed_are_refused() {
        let refused = |jobs: Vec<Job>| RunPlan::new(jobs).unwrap_err().to_string();
        assert!(refused(vec![job("a", &[0], 1.0)]).contains("does not come before"));
        assert!(refused(vec![job("a", &[7], 1.0)]).contains("does not come before"));
        assert!(refused(vec![job("a", &[], 1.0), job("a", &[], 1.0)]).contains("two jobs"));
        assert!(refused(vec![]).contains("nothing to do"));
        for name in ["", "../x", "a b", "a/b", ".x", "a\n"] {
            assert!(refused(vec![job(name, &[], 1.0)]).contains("invalid name"), "{name}");
        }
    }
}
