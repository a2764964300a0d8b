//! `errare cluster`, end to end without a cluster: plans, a Slurm that only takes notes, and xargs.

#![cfg(unix)]

use crate::common::{errare, files, fresh, json, program, run, stderr, stdout};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Endgames of which some need the tables of others.
const ENDGAMES: &str = "KQKR KRKN KBNK --metric dtc";

/// The engine of `evaluate`, as a command.
pub fn engine() -> String {
    format!("{} --ignored --exact evaluate::engine --nocapture", std::env::current_exe().unwrap().display())
}

#[test]
fn a_dry_run_shows_jobs_after_those_they_need_and_writes_nothing() {
    let folder = fresh();
    let run_folder = folder.path().join("a run");
    let mut command =
        run(folder.path(), &format!("cluster slurm tables {ENDGAMES} --dry-run --sbatch --partition=long"));
    let text = stdout(command.arg("--run").arg(&run_folder).args(["--threads", "2"]));
    assert!(!run_folder.exists() && files(folder.path()).is_empty(), "{:?}", files(folder.path()));
    let calls: Vec<&str> = text.lines().filter(|line| line.contains("$(sbatch ")).collect();
    assert_eq!(calls.len(), 7, "{text}");
    let name = |call: &str| call.split_once("--job-name=errare-").unwrap().1.split(' ').next().unwrap().to_owned();
    let waits_for = |wanted: &str| -> Vec<String> {
        let call = calls.iter().find(|call| name(call) == wanted).unwrap();
        let Some((_, after)) = call.split_once("--dependency=afterok:") else { return Vec::new() };
        let variables = after.split(' ').next().unwrap().split(':').map(|word| word.trim_matches(['$', '{', '}']));
        let named = |variable: &str| name(calls.iter().find(|call| call.starts_with(&format!("{variable}="))).unwrap());
        let mut names: Vec<String> = variables.map(named).collect();
        names.sort();
        names
    };
    assert_eq!(waits_for("KQKR.dtc"), ["KQK.dtc", "KRK.dtc"]);
    assert_eq!(waits_for("KRKN.dtc"), ["KNK.dtc", "KRK.dtc"]);
    assert_eq!(waits_for("KBNK.dtc"), ["KBK.dtc", "KNK.dtc"]);
    assert_eq!(waits_for("KQK.dtc"), [""; 0]);
    for call in &calls {
        for option in [" --requeue ", " --cpus-per-task=2 ", " --partition=long ", " --mem=", " --time="] {
            assert!(call.contains(option), "{call}");
        }
    }
    // What is shown can be read by a shell, also where paths have spaces.
    let shell = |text: &str| {
        let mut command = Command::new("sh");
        command.arg("-n").write_stdin(text.to_owned()).assert().success();
    };
    shell(&text);
    assert!(text.contains("'") && text.contains("a run/job.sh'"), "{text}");
}

/// Programs that stand for Slurm's: `sbatch` takes down its arguments and answers with the next number, `squeue` shows what
/// a file says.
struct FakeSlurm {
    folder: tempfile::TempDir,
}

impl FakeSlurm {
    fn new() -> FakeSlurm {
        let folder = fresh();
        let fake = FakeSlurm { folder };
        let notes = fake.path("notes");
        fake.program("sbatch", &format!("echo \"$*\" >>{0}; wc -l <{0}", notes.display()));
        fake.program("squeue", &format!("cat {} 2>/dev/null; true", fake.path("queue").display()));
        fake
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, line: &str) {
        fs::create_dir_all(self.path("bin")).unwrap();
        fs::write(self.path("bin").join(name), format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(self.path("bin").join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, line: &str) -> Command {
        let mut command = run(&self.path("tables"), line);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path("bin").display())).current_dir(self.folder.path());
        command
    }

    /// The calls of `sbatch` so far.
    fn calls(&self) -> Vec<String> {
        let notes = fs::read_to_string(self.path("notes")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    fn queue(&self, lines: &str) {
        fs::write(self.path("queue"), lines).unwrap();
    }

    /// The states of the jobs, by name.
    fn states(&self, code: i32) -> Vec<(String, String)> {
        let mut command = self.run("cluster status r --format json");
        let text = command.assert().code(code).get_output().stdout.clone();
        let found: Value = serde_json::from_slice(&text).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        found["jobs"].as_array().unwrap().iter().map(|job| (text(&job["name"]), text(&job["state"]))).collect()
    }
}

fn states(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    pairs.iter().map(|(name, state)| (name.as_str(), state.as_str())).collect()
}

#[test]
fn jobs_that_fail_or_are_lost_are_submitted_again_but_not_for_ever() {
    let slurm = FakeSlurm::new();
    let start = "cluster slurm tables KQKR --metric dtc --run r --tries 2";
    assert!(stdout(&mut slurm.run(start)).contains("submitted 3 jobs"));
    assert!(slurm.calls()[2].contains("--dependency=afterok:1:2 "), "{:?}", slurm.calls());
    slurm.queue("1|RUNNING|None\n2|PENDING|Resources\n3|PENDING|Dependency\n");
    let now = slurm.states(0);
    let [first, second] = [now[0].0.as_str(), now[1].0.as_str()];
    assert_eq!(states(&now), [(first, "running"), (second, "waiting"), ("KQKR.dtc", "waiting")]);
    // Nothing is submitted while all is under way, also by the command that began it.
    assert!(stdout(&mut slurm.run("cluster resume r")).contains("submitted 0 jobs again"));
    assert!(stdout(&mut slurm.run(start)).contains("submitted 0 jobs"));

    // One is done; one failed, and with it the one that waited for it.
    stdout(&mut slurm.run("cluster work r 0"));
    slurm.queue("1|COMPLETED|None\n2|NODE_FAIL|None\n3|CANCELLED|Dependency\n");
    let now = slurm.states(1);
    assert_eq!(states(&now), [(first, "done"), (second, "failed"), ("KQKR.dtc", "failed")]);
    assert!(stdout(&mut slurm.run("cluster resume r")).contains("submitted 2 jobs again"));
    let calls = slurm.calls();
    assert_eq!(calls.len(), 5);
    assert!(
        calls[3].contains(&format!("--job-name=errare-{second} ")) && !calls[3].contains("--dependency"),
        "{calls:?}"
    );
    assert!(calls[4].contains("--dependency=afterok:4 ") && calls[4].ends_with("job.sh 2"), "{calls:?}");

    // Slurm knows nothing of them any more. They were submitted twice, which is enough, unless somebody says otherwise.
    slurm.queue("");
    assert_eq!(states(&slurm.states(1)), [(first, "done"), (second, "lost"), ("KQKR.dtc", "lost")]);
    let mut command = slurm.run("cluster resume r");
    let said = String::from_utf8(command.assert().code(1).get_output().stdout.clone()).unwrap();
    assert!(said.contains("given up") && said.contains(second), "{said}");
    assert_eq!(slurm.calls().len(), 5);
    assert!(stdout(&mut slurm.run("cluster resume r --tries 3")).contains("submitted 2 jobs again"));
    // What may have run out of time asks for twice as much.
    let minutes =
        |call: &str| -> u64 { call.split_once("--time=").unwrap().1.split(' ').next().unwrap().parse().unwrap() };
    assert_eq!(minutes(&slurm.calls()[6]), 2 * minutes(&slurm.calls()[4]));

    // Whoever does them: with the last one all is done, and stays done.
    stdout(&mut slurm.run("cluster work r 1"));
    stdout(&mut slurm.run("cluster work r 2"));
    assert!(slurm.states(0).iter().all(|(_, state)| state == "done"));
    assert!(stdout(&mut slurm.run("cluster work r 2")).contains("was done before"));
    assert!(stdout(&mut slurm.run("cluster resume r --watch --every 1")).contains("100 % of the work is done"));
    // A controller that does not answer once is asked again.
    let (queue, mark) = (slurm.path("queue"), slurm.path("mark"));
    let once = format!(
        "[ -f {0} ] || {{ touch {0}; echo 'Unable to contact' >&2; exit 1; }}; cat {1}",
        mark.display(),
        queue.display()
    );
    slurm.program("squeue", &once);
    let mut command = slurm.run("cluster resume r --watch --every 1");
    let done = command.assert().code(0).get_output().clone();
    assert!(String::from_utf8_lossy(&done.stderr).contains("squeue failed: Unable to contact; trying again"));
    // A table that is gone is a job that is lost.
    fs::remove_file(slurm.path("tables").join("KQKR.dtc.egt")).unwrap();
    assert_eq!(slurm.states(1)[2].1, "lost");
}

#[test]
fn a_folder_holds_one_run() {
    let slurm = FakeSlurm::new();
    stdout(&mut slurm.run("cluster xargs tables KRK --run r"));
    let said = stderr(&mut slurm.run("cluster xargs tables KQK --run r"), 2);
    assert!(said.contains("holds another run"), "{said}");
    assert!(stderr(&mut slurm.run("cluster status none"), 2).contains("holds no run"));
    assert!(stderr(&mut slurm.run("cluster work r 7"), 2).contains("invalid number of a job 7: expected 0 to 0"));
    fs::write(slurm.path("r/plan.json"), "{}").unwrap();
    assert!(stderr(&mut slurm.run("cluster status r"), 2).contains("is damaged"));
    slurm.program("sbatch", "echo 'Batch job submission failed: Invalid partition' >&2; exit 1");
    let said = stderr(&mut slurm.run("cluster slurm tables KRK --run s"), 2);
    assert!(said.contains("sbatch failed: Batch job submission failed: Invalid partition"), "{said}");
}

/// Runs the jobs whose numbers a command prints, three at once.
fn by_xargs(folder: &Path, plan: &mut Command, run: &str) -> Output {
    let numbers = stdout(plan);
    let mut command = Command::new("xargs");
    command.args(["-P", "3", "-n", "1"]).arg(program()).args(["--quiet", "cluster", "work", run]);
    command.current_dir(folder).env("FAKE_LOG", folder.join("log")).write_stdin(numbers);
    command.output().unwrap()
}

#[test]
fn tables_of_many_processes_are_those_of_one() {
    let folder = fresh();
    let [one, many] = ["one", "many"].map(|name| folder.path().join(name));
    stdout(&mut run(&one, &format!("table build {ENDGAMES}")));
    let plan = || {
        let mut command = run(&many, &format!("cluster xargs tables {ENDGAMES} --run r"));
        command.current_dir(folder.path());
        command
    };
    let done = by_xargs(folder.path(), &mut plan(), "r");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let names = files(&one);
    assert_eq!(names, files(&many));
    assert_eq!(names.iter().filter(|name| name.ends_with(".egt")).count(), 7);
    for name in names.iter().filter(|name| name.ends_with(".egt")) {
        assert!(fs::read(one.join(name)).unwrap() == fs::read(many.join(name)).unwrap(), "{name}");
    }
    // Nothing is left to do.
    assert_eq!(stdout(&mut plan()), "");
}

/// A folder with games.
fn place() -> tempfile::TempDir {
    let folder = fresh();
    fs::write(folder.path().join("games.pgn"), include_str!("data/evaluate.pgn")).unwrap();
    folder
}

fn evaluate(folder: &Path, what: &str, line: &str) -> Command {
    let mut command = errare();
    command.current_dir(folder).args(what.split_whitespace()).args([
        "games.pgn",
        "--depth",
        "3",
        "--engine",
        &engine(),
    ]);
    command.args(line.split_whitespace()).env("FAKE_LOG", folder.join("log"));
    command
}

#[test]
fn turns_of_many_processes_are_those_of_one_and_are_checked() {
    let folder = place();
    let path = folder.path();
    stdout(&mut evaluate(path, "evaluate", "--out one --cache one.sqlite --jsonl"));
    // More shares than games: some have none.
    let plan = || evaluate(path, "cluster xargs evaluate", "--out many --jsonl --shards 9 --run r");
    let done = by_xargs(path, &mut plan(), "r");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for name in ["turns.parquet", "turns.jsonl"] {
        assert!(
            fs::read(path.join("one").join(name)).unwrap() == fs::read(path.join("many").join(name)).unwrap(),
            "{name}"
        );
    }
    assert_eq!(files(&path.join("many")), ["turns.jsonl", "turns.parquet"]);
    let record: Value = serde_json::from_slice(&fs::read(path.join("r/records/merge.json")).unwrap()).unwrap();
    let lines = fs::read_to_string(path.join("one/turns.jsonl")).unwrap().lines().count();
    assert_eq!(record["result"]["turns"], lines);

    // A game that nobody evaluated is missing, whatever the shares say of themselves.
    fs::remove_dir_all(path.join("many")).unwrap();
    let games = include_str!("data/evaluate.pgn");
    let last = games.rfind("[Event ").unwrap();
    let another = games[last..].replacen("[White \"", "[White \"Somebody else, ", 1);
    fs::write(path.join("games.pgn"), format!("{games}\n\n{another}")).unwrap();
    let merge = |folder: &Path| {
        let mut command = errare();
        stderr(command.current_dir(folder).args(["--quiet", "cluster", "work", "r", "9"]), 2)
    };
    let said = merge(path);
    assert!(said.contains("missing where the engine failed at 0, 0 double, 0 foreign"), "{said}");
    assert!(!path.join("many/turns.parquet").exists() && !path.join("many/unchecked-turns.parquet").exists());
    // And one that is not there any more has turns too many.
    fs::write(path.join("games.pgn"), &games[..last]).unwrap();
    let said = merge(path);
    assert!(
        said.contains("0 missing where the engine failed at 0, 0 double") && !said.contains(", 0 foreign"),
        "{said}"
    );
}

#[test]
fn a_share_that_failed_keeps_others_from_waiting_and_is_done_again() {
    let folder = place();
    let path = folder.path();
    let plan = |engine: &str| {
        let mut command = errare();
        command.current_dir(path).args([
            "cluster",
            "xargs",
            "evaluate",
            "games.pgn",
            "--depth",
            "3",
            "--engine",
            engine,
        ]);
        command.args(["--out", "many", "--shards", "2", "--run", "r"]).env("FAKE_LOG", path.join("log"));
        command
    };
    let script = path.join("engine.sh");
    fs::write(&script, "exit 1\n").unwrap();
    let engine = format!("/bin/sh {}", script.display());
    let done = by_xargs(path, &mut plan(&engine), "r");
    assert!(!done.status.success());
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("which it needs, failed"), "{said}");
    // The engine works now: the same command goes on.
    fs::write(&script, format!("exec {}\n", self::engine())).unwrap();
    let done = by_xargs(path, &mut plan(&engine), "r");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(path.join("many/turns.parquet").exists());
}

#[test]
fn manifests_are_written_level_by_level() {
    let folder = fresh();
    let line = "cluster kubernetes tables KQKR --image errare:1 --claim chess --format json";
    let place = |command: &mut Command| {
        command.arg("--mount").arg(folder.path()).arg("--run").arg(folder.path().join("r"));
    };
    let mut command = run(&folder.path().join("tables"), line);
    place(&mut command);
    let found = json(&mut command);
    let names: Vec<&str> =
        found["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["kubernetes/level-00.json", "kubernetes/level-01.json"]);
    let second: Value = serde_json::from_slice(&fs::read(folder.path().join("r").join(names[1])).unwrap()).unwrap();
    assert_eq!((&second["kind"], &second["spec"]["completions"]), (&Value::from("Job"), &Value::from(1)));
    // The volume has to hold the run.
    let mut command = run(&folder.path().join("tables"), &format!("{line} --mount /elsewhere"));
    let said = stderr(command.arg("--run").arg(folder.path().join("s")), 2);
    assert!(said.contains("does not lie on the volume at /elsewhere"), "{said}");
}

#[test]
fn forecasts_follow_from_work_chains_and_nodes() {
    let folder = fresh();
    let found =
        json(&mut run(folder.path(), "cluster forecast tables KQKR --metric dtc --nodes 1,5 --cores 2 --format json"));
    assert_eq!(found["jobs"], 3);
    let number = |value: &Value| value.as_f64().unwrap();
    let (work, chain) = (number(&found["core_hours"]), number(&found["longest_chain_hours"]));
    let hours: Vec<f64> = (0..2).map(|place| number(&found["on_nodes"][place]["hours"])).collect();
    // KQK and KRK side by side, then KQKR: two places are enough, and no more help.
    assert!((hours[0] - chain).abs() < 1e-12 && hours[0] == hours[1] && chain < work, "{found}");
    // A measured table scales its like.
    let line = "cluster forecast tables KQKR --metric dtc --measured KQKR=3600,1000000000 --format json";
    let measured = json(&mut run(folder.path(), line));
    assert!((number(&measured["core_hours"]) - 1.0).abs() < 1e-4 && number(&measured["bytes"]) > 1e9, "{measured}");
    // 1,000 games of 10 turns of 0.36 s are an hour.
    let line = "cluster forecast games 1000 --turns 10 --turn-seconds 0.36 --read-seconds 0 --shards 4 --nodes 1,2 --cores 2 --format json";
    let games = json(&mut run(folder.path(), line));
    assert!((number(&games["core_hours"]) - 1.0).abs() < 1e-9, "{games}");
    assert!((number(&games["on_nodes"][0]["hours"]) - 0.5).abs() < 1e-9, "{games}");
    assert!((number(&games["on_nodes"][1]["hours"]) - 0.25).abs() < 1e-9, "{games}");
}
