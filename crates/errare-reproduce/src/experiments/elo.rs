//! Apparent competence of real players against their Elo.

use super::{Account, Experiment, ResultTable};
use crate::bench::Bench;
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::numerals::{decimals, grouped};
use errare_endgame::{CompetenceScale, EndingLine, ScaleTask};
use errare_figures::{Axis, LineChart, Series};

pub const EXPERIMENT: Experiment = Experiment {
    name: "elo",
    title: "How does apparent competence grow with Elo?",
    question: "Haworth (2003) hopes to compare the apparent competence of players with their Elo.",
    method: "The scale that comes with the program, which `errare scale` fitted to over-the-board games: for each endgame and task ln c is \
             a line in Elo with scatter between players, and endgames with few games learn from the others. The figures are its \
             lines at four Elos with 95% intervals, only within the range of Elos that the games of the endgame have. Nothing \
             is fitted anew here: the games are not part of the program.",
    endgames: &[],
    needs: Vec::new,
    run,
};

const ELOS: [f64; 4] = [2000.0, 2200.0, 2400.0, 2600.0];
/// The least number of players whose line the chart shows.
const PLAYERS_SHOWN: u64 = 200;

fn run(_: &Bench<'_>) -> Result<Account> {
    let scale = CompetenceScale::shipped().ok_or(ReproduceError::Internal("the shipped scale cannot be read"))?;
    let mut findings = vec![format!("The data: {}. Metric {}, kappa {}.", scale.data, scale.metric, scale.kappa)];
    let mut tables = Vec::new();
    let mut pictures = Vec::new();
    for (task, name) in [(ScaleTask::Attack, "attack"), (ScaleTask::Defence, "defence")] {
        let mut lines: Vec<&EndingLine> = scale.endings.iter().filter(|line| line.task == task).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.players));
        tables.push(table(name, &lines));
        pictures.push(picture(name, &lines));
        let rising = lines.iter().filter(|line| line.rises()).count();
        let common = scale.common.iter().find(|common| common.task == task);
        let slope = common.map_or_else(String::new, |common| {
            let factor = |slope: f64| decimals(slope.exp(), 2);
            format!(
                " Over all endgames 400 points more multiply c by {} (95% interval {} to {}); endgames differ from that by a factor of {} \
                 (one standard deviation).",
                factor(common.b),
                factor(common.b - 1.96 * common.se_b),
                factor(common.b + 1.96 * common.se_b),
                factor(common.spread_b)
            )
        });
        findings.push(format!(
            "In {name} competence clearly rises with Elo in {rising} of {} endgames: the 95% interval of the slope is above 0.{slope}",
            lines.len()
        ));
    }
    Ok(Account { findings, tables, pictures })
}

fn table(task: &str, lines: &[&EndingLine]) -> ResultTable {
    let columns: Vec<String> = ["endgame", "players", "choices"]
        .into_iter()
        .map(str::to_owned)
        .chain(ELOS.iter().map(|elo| format!("c at {elo}")))
        .chain(["factor for 400 Elo".to_owned()])
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = ResultTable::new(format!("Competence by Elo in {task}, with 95% intervals"), &columns);
    for line in lines {
        let mut row = vec![line.material.clone(), grouped(line.players), grouped(line.choices)];
        for elo in ELOS {
            let [lowest, highest] = line.elo;
            let estimate = line.competence(elo);
            let is_seen = (lowest..=highest).contains(&elo);
            let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|c| decimals(c, 1));
            row.push(if is_seen { format!("{value} ({low} to {high})") } else { "beyond the games".to_owned() });
        }
        let factor = |z: f64| decimals((line.b + z * line.covariance[2].sqrt()).exp(), 2);
        row.push(format!("{} ({} to {})", factor(0.0), factor(-1.96), factor(1.96)));
        table.push(row);
    }
    table
}

fn picture(task: &str, lines: &[&EndingLine]) -> Picture {
    let shown = lines.iter().filter(|line| line.players >= PLAYERS_SHOWN).take(8);
    let series = shown.map(|line| {
        let [lowest, highest] = line.elo;
        let elos = (0..=10).map(move |step| lowest + (highest - lowest) * f64::from(step) / 10.0);
        let ends = [lowest, highest].map(|elo| {
            let estimate = line.competence(elo);
            [(elo, estimate.low), (elo, estimate.high)]
        });
        Series::line(line.material.clone(), elos.map(|elo| (elo, line.competence(elo).value))).with_whiskers(ends)
    });
    let chart = LineChart {
        title: format!("Apparent competence in {task} by Elo"),
        x: Axis::linear("Elo"),
        y: Axis::log("competence c"),
        series: series.collect(),
        marks: Vec::new(),
    };
    let caption =
        format!("Typical competence in {task} by Elo, where most players were seen; whiskers are 95% intervals.");
    Picture { caption, chart }
}
