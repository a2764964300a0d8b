//! Sheets of competence scales.

use crate::CompetenceScaleResponse;
use crate::csv_cell::exact;
use crate::sheet::{Sheet, ToSheet};
use errare_endgame::{CompetenceScale, EndingLine, Estimate, ScaleTask};

/// The Elos at which competences are shown to people.
const ELOS: [u16; 4] = [1600, 2000, 2400, 2800];

fn task(task: ScaleTask) -> String {
    match task {
        ScaleTask::Attack => "attack",
        ScaleTask::Defence => "defence",
    }
    .to_owned()
}

fn counts(line: &EndingLine) -> Vec<String> {
    let numbers = [line.players, line.games, line.choices].map(|number| number.to_string());
    [line.material.clone(), task(line.task)].into_iter().chain(numbers).collect()
}

impl ToSheet for CompetenceScale {
    /// Makes a row for each endgame and task, with all digits.
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&[
            "endgame", "task", "players", "games", "choices", "elo_low", "elo_high", "a", "se_a", "b", "se_b", "own_b",
            "tau",
        ]);
        for line in &self.endings {
            let [aa, _, bb] = line.covariance;
            let numbers = [line.elo[0], line.elo[1], line.a, aa.sqrt(), line.b, bb.sqrt(), line.own_b, line.tau];
            sheet.push(counts(line).into_iter().chain(numbers.map(exact)));
        }
        sheet
    }
}

impl ToSheet for CompetenceScaleResponse {
    /// Makes a row for each endgame and task, with competences at some Elos as people read them.
    fn to_sheet(&self) -> Sheet {
        let elos = ELOS.iter().map(|elo| format!("c at {elo}"));
        let columns = ["endgame", "task", "players", "games", "choices"].map(str::to_owned);
        let mut sheet =
            Sheet::with_columns(columns.into_iter().chain(elos).chain(["players differ by".to_owned()]).collect());
        for line in &self.scale.endings {
            let cell = |elo: &u16| {
                let Estimate { value, low, high } = line.competence(f64::from(*elo));
                format!("{value:.1} ({low:.1}-{high:.1})")
            };
            let spread = format!("{:.0}%", 100.0 * (line.tau.exp() - 1.0));
            sheet.push(counts(line).into_iter().chain(ELOS.iter().map(cell)).chain([spread]));
        }
        sheet
    }
}

impl CompetenceScaleResponse {
    /// Describes what attackers and defenders have in common in all endgames, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |common: &errare_endgame::CommonLine| {
            let rise = |slope: f64| 100.0 * (slope.exp() - 1.0);
            format!(
                "{}: competence {:.1} at Elo 2000 and {:.0}% more for every 400 points ({:.0} to {:.0}%)",
                task(common.task),
                common.a.exp(),
                rise(common.b),
                rise(common.b - 1.96 * common.se_b),
                rise(common.b + 1.96 * common.se_b),
            )
        };
        let games = format!("{} of {} games have a choice of a rated player", self.games, self.read);
        self.scale.common.iter().map(sentence).chain([games]).collect()
    }
}
