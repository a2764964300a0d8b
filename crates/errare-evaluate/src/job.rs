//! One run of evaluation, from files of games to turn files.

use crate::error::EvaluateError;
use crate::evaluation_run::{EvaluatedGames, GameEvaluation, Summary, make_folder};
use errare_ratings::{TurnFormat, TurnOutput, TurnRow};
use errare_work::{Progress, is_stdout};
use std::path::{Path, PathBuf};

/// One run of evaluation: which games are evaluated, and where results go.
#[derive(Clone, Debug)]
pub struct EvaluationJob {
    /// The games, the engine, and how its answers are found.
    pub evaluation: GameEvaluation,
    /// The folder for `turns.parquet`; `-` for lines of JSON on standard output instead.
    pub folder: PathBuf,
    /// Whether to write `turns.jsonl` too.
    pub jsonl: bool,
}

impl EvaluationJob {
    /// Evaluates the turns that the cache does not know, and writes all turns in the order of games.
    ///
    /// Broken games, and positions at which the engine failed twice, are warnings. Turn files appear whole or not at all.
    /// A run that was cancelled or killed goes on where it was when it is run again.
    ///
    /// # Errors
    /// If games cannot be read or there are none, the engine cannot be used or only fails, the cache or the turn files
    /// cannot be written, or the work is cancelled.
    pub fn run(&self, progress: &dyn Progress) -> Result<Summary, EvaluateError> {
        let outputs = self.outputs()?;
        if !is_stdout(&self.folder) {
            make_folder(&self.folder)?;
        }
        let evaluated = self.evaluation.run(progress)?;
        let written = write(&outputs, &evaluated, progress)?;
        Ok(evaluated.summary(written))
    }

    /// The files to write, in formats that this build knows.
    fn outputs(&self) -> Result<Vec<(PathBuf, TurnFormat)>, EvaluateError> {
        let output = |path: PathBuf| {
            let format = TurnFormat::of(&path).ok_or_else(|| EvaluateError::Format { path: path.clone() })?;
            format.check_available()?;
            Ok((path, format))
        };
        turn_files(&self.folder, self.jsonl).into_iter().map(output).collect()
    }
}

/// Writes all turns whose evaluations are known, and returns how many.
fn write(
    files: &[(PathBuf, TurnFormat)],
    evaluated: &EvaluatedGames,
    progress: &dyn Progress,
) -> Result<u64, EvaluateError> {
    let begin = |(path, format): &(PathBuf, TurnFormat)| TurnOutput::create(path, *format);
    let mut outputs = files.iter().map(begin).collect::<Result<Vec<_>, _>>()?;
    let take = |row: TurnRow| Ok(outputs.iter_mut().try_for_each(|output| output.write(row.clone()))?);
    let written = evaluated.each_turn("writing turns", take, progress)?;
    // Not even whole files appear of work that was cancelled.
    progress.proceed()?;
    for output in outputs {
        output.finish()?;
    }
    Ok(written)
}

/// The files that a run writes its turns to: those of a folder, or standard output.
#[must_use]
pub fn turn_files(folder: &Path, jsonl: bool) -> Vec<PathBuf> {
    if is_stdout(folder) {
        return vec![folder.to_owned()];
    }
    let names = ["turns.parquet", "turns.jsonl"];
    names.into_iter().take(1 + usize::from(jsonl)).map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_can_be_shared_between_threads() {
        fn assert_shared<T: Send + Sync + 'static>() {}
        assert_shared::<EvaluationJob>();
        assert_shared::<Summary>();
        assert_shared::<EvaluateError>();
    }
}
