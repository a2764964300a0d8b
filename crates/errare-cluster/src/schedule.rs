//! How long a plan takes on some number of nodes.

use crate::plan::RunPlan;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Seconds of wall-clock that a plan takes on some number of nodes, if each of them runs one job at a time, a job takes its
/// CPU-seconds divided by its processors, and whenever a node is free it takes the ready job with the longest chain of
/// jobs behind it.
///
/// No order of jobs can beat the larger of [`longest_chain`] and all work divided by the nodes; this one takes at most both
/// together (Graham, 1966).
#[must_use]
pub fn schedule(plan: &RunPlan, nodes: usize) -> f64 {
    let jobs = plan.jobs();
    let urgency = chains(plan);
    let mut missing: Vec<usize> = jobs.iter().map(|job| job.needs.len()).collect();
    let mut ready: BinaryHeap<(Key, Reverse<usize>)> = BinaryHeap::new();
    let free = missing.iter().enumerate().filter(|&(_, &count)| count == 0);
    ready.extend(free.map(|(number, _)| (Key(urgency[number]), Reverse(number))));
    let mut running: BinaryHeap<Reverse<(Key, usize)>> = BinaryHeap::new();
    let followers = followers(plan);
    let mut now = 0.0;
    loop {
        while running.len() < nodes.max(1) {
            let Some((_, Reverse(number))) = ready.pop() else { break };
            running.push(Reverse((Key(now + seconds(plan, number)), number)));
        }
        let Some(Reverse((Key(end), number))) = running.pop() else { return now };
        now = end;
        for &next in &followers[number] {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push((Key(urgency[next]), Reverse(next)));
            }
        }
    }
}

/// Seconds of wall-clock of the longest chain of jobs each of which needs the one before: no number of nodes makes a plan
/// shorter.
#[must_use]
pub fn longest_chain(plan: &RunPlan) -> f64 {
    chains(plan).into_iter().fold(0.0, f64::max)
}

fn seconds(plan: &RunPlan, number: usize) -> f64 {
    let job = &plan.jobs()[number];
    job.cpu_seconds / f64::from(job.resources.cpus.max(1))
}

/// The jobs that need each job.
fn followers(plan: &RunPlan) -> Vec<Vec<usize>> {
    let mut followers = vec![Vec::new(); plan.jobs().len()];
    for (number, job) in plan.jobs().iter().enumerate() {
        job.needs.iter().for_each(|&needed| followers[needed].push(number));
    }
    followers
}

/// For each job the seconds from its beginning to the end of the longest chain that begins with it.
fn chains(plan: &RunPlan) -> Vec<f64> {
    let mut chains: Vec<f64> = (0..plan.jobs().len()).map(|number| seconds(plan, number)).collect();
    for number in (0..plan.jobs().len()).rev() {
        for &needed in &plan.jobs()[number].needs {
            chains[needed] = chains[needed].max(seconds(plan, needed) + chains[number]);
        }
    }
    chains
}

/// A number of seconds that can be ordered.
#[derive(Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::job;

    #[test]
    fn chains_and_nodes_bound_the_time() {
        // 2 processors each: 1, 2, 3 and 4 s.
        let jobs = vec![job("a", &[], 2.0), job("b", &[0], 4.0), job("c", &[], 6.0), job("d", &[1, 2], 8.0)];
        let plan = RunPlan::new(jobs).unwrap();
        assert_eq!(longest_chain(&plan), 7.0);
        assert_eq!([1, 2, 9].map(|nodes| schedule(&plan, nodes)), [10.0, 7.0, 7.0]);
    }

    #[test]
    fn what_others_wait_for_comes_first() {
        let mut jobs = vec![job("first", &[], 2.0), job("last", &[0], 20.0)];
        jobs.extend(["x", "y", "z"].map(|name| job(name, &[], 8.0)));
        // The chain of 1 + 10 s on one node, 12 s of the others on the other one.
        assert_eq!(schedule(&RunPlan::new(jobs).unwrap(), 2), 12.0);
    }
}
