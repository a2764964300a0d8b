//! `errare cluster` on a real Slurm with three nodes on this machine (`tools/slurm.sh`), one of which is killed meanwhile.

#![cfg(unix)]

use crate::cluster::engine;
use crate::common::{errare, files, fresh, stdout};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Slurm begins what it queued again after two minutes.
const PATIENCE: Duration = Duration::from_secs(900);

/// A Slurm that ends with the test.
struct Slurm {
    folder: tempfile::TempDir,
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.tool(&["stop"]);
    }
}

impl Slurm {
    fn start() -> Slurm {
        let slurm = Slurm { folder: fresh() };
        assert!(slurm.tool(&["start"]), "Slurm does not start: `tools/slurm.sh install` installs it, as root");
        slurm
    }

    /// Runs `tools/slurm.sh COMMAND FOLDER ...`.
    fn tool(&self, words: &[&str]) -> bool {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/slurm.sh");
        let mut command = std::process::Command::new(script);
        command.arg(words[0]).arg(self.path("slurm")).args(&words[1..]);
        command.status().is_ok_and(|status| status.success())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, line: &str) -> Command {
        let mut command = errare();
        command.current_dir(self.folder.path()).env("SLURM_CONF", self.path("slurm/slurm.conf"));
        command.env("FAKE_LOG", self.path("log")).env("FAKE_SLEEP", "20").args(line.split_whitespace());
        command.timeout(PATIENCE);
        command
    }

    fn status(&self, run: &str) -> Value {
        let mut command = self.run(&format!("cluster status {run} --format json"));
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
    }

    /// Waits until a job runs that takes a while, kills its node, and returns the names of those that the node ran.
    fn kill_a_busy_node(&self, run: &str, is_long: fn(&str) -> bool) -> Vec<String> {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "no job was seen running: {}", self.status(run));
            let status = self.status(run);
            let jobs = status["jobs"].as_array().unwrap().iter();
            let running: Vec<(&str, &str)> = jobs
                .filter(|job| job["state"] == "running")
                .filter_map(|job| Some((job["host"].as_str()?, job["name"].as_str()?)))
                .collect();
            if let Some(&(node, _)) = running.iter().find(|(_, name)| is_long(name)) {
                assert!(self.tool(&["kill", node]), "node {node}");
                return running.iter().filter(|(host, _)| *host == node).map(|&(_, name)| name.to_owned()).collect();
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn attempts(&self, run: &str, name: &str) -> u64 {
        let text = fs::read(self.path(run).join(format!("records/{name}.json"))).unwrap();
        serde_json::from_slice::<Value>(&text).unwrap()["attempts"].as_u64().unwrap()
    }

    /// Checks that some of the jobs that were running on a killed node began again.
    fn assert_begun_again(&self, run: &str, names: &[String]) {
        assert!(names.iter().any(|name| self.attempts(run, name) > 1), "{names:?}: {}", self.status(run));
    }
}

#[test]
#[ignore = "needs Slurm, and takes minutes: `make test-slurm`"]
fn tables_of_a_cluster_that_loses_a_node_are_those_of_one_process() {
    let slurm = Slurm::start();
    let tables = "KQKR KRKN KBNK KRBKR KQNKQ KBBKN --metric dtc,dtm";
    stdout(&mut slurm.run(&format!("--tables many cluster slurm tables {tables} --run r")));
    let lost = slurm.kill_a_busy_node("r", |name| name.find('.') == Some("KRBKR".len()));
    stdout(&mut slurm.run(&format!("--tables one table build {tables}")));
    stdout(&mut slurm.run("cluster resume r --watch --every 2"));
    slurm.assert_begun_again("r", &lost);
    same_files(&slurm.path("one"), &slurm.path("many"), ".egt", 20);
}

#[test]
#[ignore = "needs Slurm, and takes minutes: `make test-slurm`"]
fn turns_of_a_cluster_that_loses_a_node_are_those_of_one_process() {
    let slurm = Slurm::start();
    fs::write(slurm.path("games.pgn"), include_str!("data/evaluate.pgn")).unwrap();
    let evaluate = |what: &str, line: &str| {
        let mut command = slurm.run(what);
        command.args(["games.pgn", "--depth", "3", "--engine", &engine()]).args(line.split_whitespace());
        command
    };
    stdout(&mut evaluate("cluster slurm evaluate", "--shards 3 --out many --run r"));
    let lost = slurm.kill_a_busy_node("r", |name| name.starts_with("shard"));
    stdout(&mut evaluate("evaluate", "--out one --cache one.sqlite"));
    stdout(&mut slurm.run("cluster resume r --watch --every 2"));
    slurm.assert_begun_again("r", &lost);
    same_files(&slurm.path("one"), &slurm.path("many"), ".parquet", 1);
}

#[test]
#[ignore = "needs Slurm, and takes minutes: `make test-slurm`"]
fn a_job_that_fails_is_queued_again_and_those_that_need_it_wait() {
    let slurm = Slurm::start();
    fs::write(slurm.path("games.pgn"), include_str!("data/evaluate.pgn")).unwrap();
    // The engine does not start the first time.
    let (script, mark) = (slurm.path("engine.sh"), slurm.path("was here"));
    let fail_once = format!("[ -f '{0}' ] || {{ touch '{0}'; exit 1; }}", mark.display());
    fs::write(&script, format!("{fail_once}\nexec {}\n", engine())).unwrap();
    let mut start = slurm.run("cluster slurm evaluate games.pgn --depth 3 --shards 1 --out many --run r --engine");
    stdout(start.arg(format!("/bin/sh {}", script.display())));
    let begun = Instant::now();
    while slurm.status("r")["is_done"] != true {
        assert!(begun.elapsed() < PATIENCE, "{}", slurm.status("r"));
        thread::sleep(Duration::from_secs(1));
    }
    assert_eq!((slurm.attempts("r", "shard-00001"), slurm.attempts("r", "merge")), (2, 1));
    let submitted: Vec<Value> =
        slurm.status("r")["jobs"].as_array().unwrap().iter().map(|job| job["submitted"].clone()).collect();
    assert_eq!(submitted, [1, 1]);
}

/// Checks that two folders have the same files of an ending, byte for byte, and at least so many.
fn same_files(one: &Path, many: &Path, ending: &str, least: usize) {
    let names =
        |folder: &Path| -> Vec<String> { files(folder).into_iter().filter(|name| name.ends_with(ending)).collect() };
    assert_eq!(names(one), names(many));
    assert!(names(one).len() >= least, "{:?}", names(one));
    for name in names(one) {
        assert!(fs::read(one.join(&name)).unwrap() == fs::read(many.join(&name)).unwrap(), "{name}");
    }
}
