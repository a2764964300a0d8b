//! Runs submitted to Slurm: a job each, job arrays where many are alike, and dependencies between them.

use crate::error::ClusterError;
use crate::plan::{Job, Resources};
use crate::run_folder::{RunFolder, text};
use crate::submissions::{Submission, Submissions};
use errare_work::{Progress, Status, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::process::Command;

/// Number of tasks of an array: Slurm numbers them below 1,001 unless its administrator raises `MaxArraySize`.
const ARRAY: usize = 1000;

/// How jobs are submitted to Slurm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlurmSettings {
    /// The program `errare` as the nodes find it.
    pub program: PathBuf,
    /// Further options of `sbatch`, such as `--partition=long`.
    pub options: Vec<String>,
    /// How often a job is begun before it is given up, and how often it is submitted.
    pub tries: u32,
}

/// A run, and how Slurm is asked to do it.
#[derive(Clone, Copy, Debug)]
pub struct Slurm<'a> {
    /// The folder of the run.
    pub folder: &'a RunFolder,
    /// How jobs are submitted.
    pub settings: &'a SlurmSettings,
}

/// Jobs that are submitted by one call of `sbatch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The number from which tasks of an array are counted; for a job alone the number of that job.
    pub offset: usize,
    /// The numbers of the jobs.
    pub numbers: Vec<usize>,
    /// Whether the jobs are submitted as an array.
    pub is_array: bool,
    /// The processors, the memory and the time that each of the jobs asks for.
    pub resources: Resources,
}

impl Slurm<'_> {
    /// The script that every job runs, with the number of the job as its argument; in an array, with the number of its
    /// first possible task.
    ///
    /// A job that fails is queued again, which keeps the jobs waiting that need it; Slurm itself does so after the failure
    /// of a node and after preemption. An interrupted job (status 130) was cancelled, or is queued again by Slurm.
    ///
    /// # Errors
    /// If a path cannot be written in a script.
    pub fn script(&self) -> Result<String, ClusterError> {
        let program = quoted(text(&self.settings.program)?);
        let folder = quoted(text(self.folder.path())?);
        let tries = self.settings.tries;
        Ok(format!(
            r#"#!/bin/sh
# One job of a run of errare: sbatch ... job.sh NUMBER. The tasks of an array are counted from NUMBER on.
[ "${{SLURM_RESTART_COUNT:-0}}" -lt {tries} ] || {{ echo "given up after {tries} attempts" >&2; exit 1; }}
{program} --quiet cluster work {folder} --offset "$1" "${{SLURM_ARRAY_TASK_ID:-0}}" && exit 0
status=$?
# By its own name: the number alone would mean the whole array.
self=${{SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}}${{SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}}
if [ $status -ne 130 ] && [ $((${{SLURM_RESTART_COUNT:-0}} + 1)) -lt {tries} ]; then
    scontrol requeue "$self" && sleep 600
fi
exit $status
"#
        ))
    }

    /// Joins jobs into batches: those that may be tasks of an array with others that need and ask for the same.
    #[must_use]
    pub fn batches(&self, numbers: &[usize], submissions: &Submissions) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for &number in numbers {
            let Some(job) = self.folder.plan().jobs().get(number) else { continue };
            let last = submissions.jobs.get(&job.name);
            let resources = last.map_or(job.resources, |submission| submission.resources);
            let is_like = |batch: &Batch| {
                let first = batch.numbers.first().and_then(|&first| self.folder.plan().jobs().get(first));
                batch.is_array
                    && job.array
                    && number - batch.offset < ARRAY
                    && batch.resources == resources
                    && first.is_some_and(|first| first.needs == job.needs)
            };
            match batches.last_mut().filter(|batch| is_like(batch)) {
                Some(batch) => batch.numbers.push(number),
                None => batches.push(Batch { offset: number, numbers: vec![number], is_array: job.array, resources }),
            }
        }
        batches
    }

    /// The arguments of `sbatch` for a batch that waits for some jobs, named as Slurm names them.
    ///
    /// # Errors
    /// If a path cannot be written as text.
    pub fn arguments(&self, batch: &Batch, after: &[String]) -> Result<Vec<String>, ClusterError> {
        let folder = text(self.folder.path())?;
        let first = &self.folder.job(batch.offset)?.name;
        let Resources { cpus, memory_bytes, minutes } = batch.resources;
        let log = if batch.is_array { "%x.%A_%a.log" } else { "%x.%j.log" };
        let mut arguments = vec![
            "--parsable".to_owned(),
            format!("--job-name=errare-{first}"),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={cpus}"),
            format!("--mem={}M", memory_bytes.div_ceil(1 << 20)),
            format!("--time={minutes}"),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}/logs/{log}", folder.replace('%', "%%")),
        ];
        if batch.is_array {
            let tasks: Vec<usize> = batch.numbers.iter().map(|number| number - batch.offset).collect();
            arguments.push(format!("--array={}", ranges(&tasks)));
        }
        if !after.is_empty() {
            arguments.push(format!("--dependency=afterok:{}", after.join(":")));
            arguments.push("--kill-on-invalid-dep=yes".to_owned());
        }
        arguments.extend(self.settings.options.iter().cloned());
        arguments.extend([format!("{folder}/job.sh"), batch.offset.to_string()]);
        Ok(arguments)
    }

    /// The calls of `sbatch` by which jobs would be submitted, as a script for a shell.
    ///
    /// # Errors
    /// If a path cannot be written in a script.
    pub fn preview(&self, numbers: &[usize]) -> Result<String, ClusterError> {
        let mut submissions = Submissions { settings: self.settings.clone(), ..Submissions::default() };
        let mut lines = "#!/bin/sh\nset -e\n".to_owned();
        for batch in self.batches(numbers, &submissions) {
            let after = self.after(&batch, &submissions)?;
            let arguments = self.arguments(&batch, &after)?;
            let words: Vec<String> = arguments.iter().map(|word| quoted_but_variables(word)).collect();
            lines += &format!("job{}=$(sbatch {})\n", batch.offset, words.join(" "));
            self.enter(&mut submissions, &batch, &format!("${{job{}}}", batch.offset))?;
        }
        Ok(lines)
    }

    /// Submits jobs, each after those that it needs and that are not done; returns how many calls of `sbatch` it took.
    /// What was submitted is written down after each call, so that nothing is lost if a later one fails.
    ///
    /// # Errors
    /// If a file cannot be written, `sbatch` fails, or the work is cancelled.
    pub fn submit(
        &self,
        numbers: &[usize],
        done: &[bool],
        submissions: &mut Submissions,
        progress: &dyn Progress,
    ) -> Result<usize, ClusterError> {
        write_whole(&self.folder.path().join("job.sh"), self.script()?)?;
        let batches = self.batches(numbers, submissions);
        let finished: HashSet<&str> = self.finished(done);
        for (at, batch) in batches.iter().enumerate() {
            progress.proceed()?;
            progress.report(&Status::new("submitting jobs", "calls of sbatch").at(at as u64, batches.len() as u64));
            let mut open = submissions.clone();
            open.jobs.retain(|name, _| !finished.contains(name.as_str()));
            let arguments = self.arguments(batch, &self.after(batch, &open)?)?;
            let answer = output("sbatch", &arguments)?;
            // `17`, or `17;cluster`.
            let id = answer.trim().split(';').next().unwrap_or_default().to_owned();
            if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
                let reason = format!("expected the number of a job, found `{}`", answer.trim());
                return Err(ClusterError::Program { program: "sbatch", reason });
            }
            self.enter(submissions, batch, &id)?;
            submissions.write(self.folder)?;
        }
        Ok(batches.len())
    }

    /// The names of the jobs that are done: nothing needs to wait for them.
    fn finished(&self, done: &[bool]) -> HashSet<&str> {
        let jobs = self.folder.plan().jobs().iter().zip(done);
        jobs.filter(|&(_, &is_done)| is_done).map(|(job, _)| job.name.as_str()).collect()
    }

    /// The submitted jobs that a batch waits for, as Slurm names them: whole arrays by one number.
    fn after(&self, batch: &Batch, submissions: &Submissions) -> Result<Vec<String>, ClusterError> {
        let mut found: BTreeMap<&str, Vec<&Submission>> = BTreeMap::new();
        let first = batch.numbers.first().copied().unwrap_or(batch.offset);
        for &needed in &self.folder.job(first)?.needs {
            if let Some(submission) = submissions.jobs.get(&self.folder.job(needed)?.name) {
                found.entry(&submission.id).or_default().push(submission);
            }
        }
        let each = found.into_iter().flat_map(|(id, tasks)| {
            let is_whole = tasks.len() == submissions.tasks_of(id);
            let names = tasks.into_iter().map(Submission::slurm_name).collect::<Vec<_>>();
            if is_whole { vec![id.to_owned()] } else { names }
        });
        Ok(each.collect())
    }

    fn enter(&self, submissions: &mut Submissions, batch: &Batch, id: &str) -> Result<(), ClusterError> {
        for &number in &batch.numbers {
            let Job { name, .. } = self.folder.job(number)?;
            let times = submissions.jobs.get(name).map_or(0, |submission| submission.times) + 1;
            let task = batch.is_array.then_some(number - batch.offset);
            let submission = Submission { id: id.to_owned(), task, times, resources: batch.resources };
            submissions.jobs.insert(name.clone(), submission);
        }
        Ok(())
    }
}

/// The jobs that Slurm knows of this user, ended ones too until it forgets them.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    jobs: HashMap<String, (String, String)>,
}

impl Queue {
    /// Asks Slurm for the jobs of this user.
    ///
    /// # Errors
    /// If `squeue` cannot be started, or fails.
    pub fn ask() -> Result<Queue, ClusterError> {
        let arguments = ["--me", "--array", "--states=all", "--noheader", "--format=%i|%T|%r"].map(str::to_owned);
        Ok(Queue::parse(&output("squeue", &arguments)?))
    }

    /// The queue as `squeue` writes it: a line `number|state|reason` for each job.
    #[must_use]
    pub fn parse(lines: &str) -> Queue {
        let entry = |line: &str| {
            let (id, rest) = line.trim().split_once('|')?;
            let (state, reason) = rest.split_once('|')?;
            Some((id.to_owned(), (state.to_owned(), reason.to_owned())))
        };
        Queue { jobs: lines.lines().filter_map(entry).collect() }
    }

    /// Slurm's word for the state of a job, such as `PENDING`; none if Slurm does not know the job.
    #[must_use]
    pub fn state(&self, submission: &Submission) -> Option<&str> {
        self.jobs.get(&submission.slurm_name()).map(|(state, _)| state.as_str())
    }

    /// Why a job is in its state, such as `Dependency`.
    #[must_use]
    pub fn reason(&self, submission: &Submission) -> Option<&str> {
        let reason = self.jobs.get(&submission.slurm_name()).map(|(_, reason)| reason.as_str());
        reason.filter(|&reason| reason != "None")
    }
}

/// Runs a program of Slurm, and returns what it writes to standard output.
fn output(program: &'static str, arguments: &[String]) -> Result<String, ClusterError> {
    let run = Command::new(program).args(arguments).output();
    let run = run.map_err(|source| ClusterError::NoProgram { program, source })?;
    if !run.status.success() {
        let reason = String::from_utf8_lossy(&run.stderr).trim().replace('\n', "; ");
        return Err(ClusterError::Program { program, reason });
    }
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Numbers in ascending order as Slurm writes them: `0-3,7`.
fn ranges(numbers: &[usize]) -> String {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => found.push((number, number)),
        }
    }
    let text = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    found.iter().map(text).collect::<Vec<_>>().join(",")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+:,./%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A word of `sbatch` in which variables stand for the numbers of jobs.
fn quoted_but_variables(word: &str) -> String {
    if word.starts_with("--dependency=") { word.to_owned() } else { quoted(word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::RunPlan;
    use crate::plan::tests::job;
    use serde_json::Value;

    fn settings() -> SlurmSettings {
        SlurmSettings { program: "/opt/an errare".into(), options: vec!["--partition=x".to_owned()], tries: 3 }
    }

    fn folder(jobs: Vec<Job>) -> RunFolder {
        RunFolder::new("/run/100%".as_ref(), Value::Null, RunPlan::new(jobs).unwrap()).unwrap()
    }

    #[test]
    fn tables_wait_for_those_they_need() {
        let folder = folder(vec![job("KQK.dtc", &[], 2.0), job("KRK.dtc", &[], 1.0), job("KQKR.dtc", &[0, 1], 9.0)]);
        let settings = settings();
        let preview = Slurm { folder: &folder, settings: &settings }.preview(&[0, 1, 2]).unwrap();
        let lines: Vec<&str> = preview.lines().skip(2).collect();
        assert_eq!(
            lines[2],
            "job2=$(sbatch --parsable --job-name=errare-KQKR.dtc --nodes=1 --ntasks=1 --cpus-per-task=2 --mem=3M --time=5 \
             --requeue --open-mode=append --output=/run/100%%/logs/%x.%j.log --dependency=afterok:${job0}:${job1} \
             --kill-on-invalid-dep=yes --partition=x /run/100%/job.sh 2)"
        );
        assert!(lines[..2].iter().all(|line| !line.contains("dependency")), "{lines:?}");
    }

    #[test]
    fn shards_are_an_array_and_what_is_left_of_them_too() {
        let shard = |number: usize| Job { array: true, ..job(&format!("shard-{number}"), &[], 0.0) };
        let mut jobs: Vec<Job> = (0..1003).map(shard).collect();
        jobs.push(job("merge", &(0..1003).collect::<Vec<_>>(), 0.0));
        let folder = folder(jobs);
        let settings = settings();
        let slurm = Slurm { folder: &folder, settings: &settings };
        let all: Vec<usize> = (0..1004).collect();
        let preview = slurm.preview(&all).unwrap();
        assert!(preview.contains(" --array=0-999 ") && preview.contains(" --array=0-2 "), "{preview}");
        assert!(preview.contains("--dependency=afterok:${job0}:${job1000} "), "{preview}");
        // 5 and 7 to 9 are lost, the others in work: the merge waits for the old array's tasks and the new array.
        let mut submissions = Submissions::default();
        for batch in slurm.batches(&all[..10], &submissions) {
            slurm.enter(&mut submissions, &batch, "40").unwrap();
        }
        let again = slurm.batches(&[5, 7, 8, 9], &submissions);
        assert_eq!(again.iter().map(|batch| batch.offset).collect::<Vec<_>>(), [5]);
        let arguments = slurm.arguments(&again[0], &[]).unwrap();
        assert!(arguments.contains(&"--array=0,2-4".to_owned()), "{arguments:?}");
        slurm.enter(&mut submissions, &again[0], "41").unwrap();
        assert_eq!(submissions.jobs["shard-8"].slurm_name(), "41_3");
        assert_eq!(submissions.jobs["shard-8"].times, 2);
        let merge = slurm.batches(&[1003], &submissions);
        assert_eq!(slurm.after(&merge[0], &submissions).unwrap(), ["40", "41"]);
        // Of an array that has other tasks too, single ones.
        let needing_one = Job { needs: vec![6], ..job("x", &[], 0.0) };
        let mut jobs = folder.plan().jobs()[..10].to_vec();
        jobs.push(needing_one);
        let small = RunFolder::new("/run".as_ref(), Value::Null, RunPlan::new(jobs).unwrap()).unwrap();
        let slurm = Slurm { folder: &small, settings: &settings };
        let one = slurm.batches(&[10], &submissions);
        assert_eq!(slurm.after(&one[0], &submissions).unwrap(), ["40_6"]);
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        let folder = folder(vec![job("a", &[], 1.0)]);
        let script = Slurm { folder: &folder, settings: &settings() }.script().unwrap();
        assert!(script.contains("'/opt/an errare' --quiet cluster work /run/100% --offset"), "{script}");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn the_queue_is_read_as_slurm_writes_it() {
        let queue = Queue::parse("17|PENDING|Dependency\n18_3|RUNNING|None\n");
        let job = |id: &str, task| Submission {
            id: id.to_owned(),
            task,
            times: 1,
            resources: Resources { cpus: 1, memory_bytes: 0, minutes: 1 },
        };
        assert_eq!(
            (queue.state(&job("17", None)), queue.reason(&job("17", None))),
            (Some("PENDING"), Some("Dependency"))
        );
        assert_eq!((queue.state(&job("18", Some(3))), queue.reason(&job("18", Some(3)))), (Some("RUNNING"), None));
        assert_eq!(queue.state(&job("18", None)), None);
    }
}
