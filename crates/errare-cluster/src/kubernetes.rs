//! Runs as indexed Jobs of Kubernetes: a manifest for each level of the plan.

use crate::error::ClusterError;
use crate::run_folder::{RunFolder, text};
use serde_json::{Value, json};
use std::path::PathBuf;

/// How a run is given to Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KubernetesSettings {
    /// The image that has `errare`, and the engine if games are evaluated.
    pub image: String,
    /// The program `errare` in the image.
    pub program: String,
    /// The claim of the volume on which the run, its games and its tables lie.
    pub claim: String,
    /// Where the volume is mounted: here and in the pods the same, since the plan names its files in full.
    pub mount: PathBuf,
    /// Number of pods of a level at once.
    pub parallelism: usize,
    /// How often a pod of one index may fail; those that lose their node do not count.
    pub tries: u32,
}

/// The manifests of a run, in the order in which they are to be applied, each with a name for its file. The next may be
/// applied when all pods of the one before are done: a pod whose jobs are not ready waits, and would hold its node.
///
/// # Errors
/// If a path cannot be written as text.
pub fn manifests(folder: &RunFolder, settings: &KubernetesSettings) -> Result<Vec<(String, Value)>, ClusterError> {
    let levels = folder.plan().levels();
    let each = levels.iter().enumerate().map(|(level, numbers)| {
        let name = format!("{}-{level}", dns_label(folder));
        let manifest = manifest(folder, settings, &name, numbers.clone())?;
        Ok((format!("level-{level:02}.json"), manifest))
    });
    each.collect()
}

fn manifest(
    folder: &RunFolder,
    settings: &KubernetesSettings,
    name: &str,
    numbers: std::ops::Range<usize>,
) -> Result<Value, ClusterError> {
    let jobs = &folder.plan().jobs()[numbers.clone()];
    let memory = jobs.iter().map(|job| job.resources.memory_bytes).max().unwrap_or(0).div_ceil(1 << 20);
    let cpus = jobs.iter().map(|job| job.resources.cpus).max().unwrap_or(1);
    let resources = json!({"cpu": cpus.to_string(), "memory": format!("{memory}Mi")});
    let path = text(folder.path())?;
    let offset = numbers.start.to_string();
    Ok(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/name": "errare"}},
        "spec": {
            "completionMode": "Indexed",
            "completions": numbers.len(),
            "parallelism": settings.parallelism.clamp(1, numbers.len()),
            "backoffLimitPerIndex": settings.tries,
            // A pod that was evicted, or whose node is gone, is begun again without counting as a failure.
            "podFailurePolicy": {
                "rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]
            },
            "template": {
                "metadata": {"labels": {"app.kubernetes.io/name": "errare"}},
                "spec": {
                    "restartPolicy": "Never",
                    "containers": [{
                        "name": "errare",
                        "image": settings.image,
                        "command": [settings.program],
                        "args": ["--quiet", "cluster", "work", path, "--offset", offset, "$(INDEX)"],
                        "env": [{
                            "name": "INDEX",
                            "valueFrom": {"fieldRef": {
                                "fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"
                            }}
                        }],
                        "resources": {"requests": resources, "limits": resources},
                        "volumeMounts": [{"name": "data", "mountPath": text(&settings.mount)?}]
                    }],
                    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": settings.claim}}]
                }
            }
        }
    }))
}

/// The name of a run's folder as Kubernetes takes it: at most 40 lower-case letters, digits and hyphens.
fn dns_label(folder: &RunFolder) -> String {
    let name = folder.path().file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(32).collect();
    format!("errare-{}", plain.trim_matches('-')).trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::RunPlan;
    use crate::plan::tests::job;

    #[test]
    fn a_level_is_an_indexed_job() {
        let jobs = vec![job("KQK", &[], 2.0), job("KRK", &[], 1.0), job("KQKR", &[0, 1], 9.0)];
        let plan = RunPlan::new(jobs).unwrap();
        let folder = RunFolder::new("/data/My run!".as_ref(), Value::Null, plan).unwrap();
        let settings = KubernetesSettings {
            image: "errare:1".to_owned(),
            program: "errare".to_owned(),
            claim: "chess".to_owned(),
            mount: "/data".into(),
            parallelism: 50,
            tries: 4,
        };
        let manifests = manifests(&folder, &settings).unwrap();
        assert_eq!(
            manifests.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["level-00.json", "level-01.json"]
        );
        let [(_, first), (_, second)] = &manifests[..] else { panic!("two levels") };
        assert_eq!((&first["metadata"]["name"], &first["spec"]["completions"]), (&json!("errare-my-run-0"), &json!(2)));
        assert_eq!(first["spec"]["parallelism"], 2);
        let arguments = &second["spec"]["template"]["spec"]["containers"][0]["args"];
        assert_eq!(*arguments, json!(["--quiet", "cluster", "work", "/data/My run!", "--offset", "2", "$(INDEX)"]));
    }
}
