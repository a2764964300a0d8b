//! Appendix B: games and studies.

use crate::bench::{Bench, famous_game, play, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::marks::{compared, words};
use crate::numerals::listed;
use crate::study::{Needs, Study};
use errare_tables::{Material, Metric, Outcome, parse_fen};
use shakmaty::{Chess, Color, Position, Role, Square};

pub const STUDY: Study = Study {
    name: "the games of appendix B",
    is_quick: false,
    covers: |id| id.starts_with("002-b-") && needed(id).is_some(),
    needs: |item| needed(item.id).unwrap_or_default(),
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn needed(id: &str) -> Option<Needs> {
    use Metric::{Dtc, Dtm, Dtz};
    Some(match id.strip_prefix("002-b-")? {
        "roycroft-dc" => vec![("KBBKN", vec![Dtc])],
        "roycroft-marks" => vec![("KBBKP", vec![Dtm, Dtz])],
        "pinter-depth" => vec![("KBBKN", vec![Dtc, Dtm])],
        "pinter-70" => vec![("KBBKN", vec![Dtc])],
        "pinter-kling" | "pinter-end" | "nikolic-201-fen" => Vec::new(),
        "ljubojevic-70" | "ljubojevic-88" => vec![("KQNKQ", vec![Dtz])],
        "ljubojevic-117" => vec![("KQNKQ", vec![Dtm])],
        "wegner-depth" => vec![("KQPKQ", vec![Dtc, Dtm])],
        "croskill-1" | "croskill-2" | "nikolic-misses" | "nikolic-201" | "nikolic-239" => vec![("KRBKR", vec![Dtc])],
        "fishbein-58" | "nikolic-167" => vec![("KRBKR", vec![Dtc])],
        _ => return None,
    })
}

const PINTER: &str = "8/2b5/8/3b2k1/8/4K3/8/4N3 w - - 0 68";
const AT_201: &str = "4k3/5R2/3K4/3B4/8/8/8/3r4 w - - 0 201";
const AT_239: &str = "4r3/8/8/k2B4/3K4/8/1R6/8 w - - 0 239";

/// The depth of a position in moves of the winner, in a metric.
fn moves(bench: &Bench<'_>, at: &Chess, metric: Metric) -> Result<f64> {
    let value = bench.source().value(at, metric)?;
    Ok(value.winner_moves(metric).map_or(f64::NAN, |moves| f64::from(moves.0)))
}

/// The value of a position: "=" for a draw, else who wins.
fn value(bench: &Bench<'_>, at: &Chess, metric: Metric) -> Result<&'static str> {
    let value = bench.source().value(at, metric)?;
    let outcome = if at.turn().is_white() { value.outcome } else { value.outcome.reversed() };
    Ok(match outcome {
        Outcome::Win => "1-0",
        Outcome::Loss => "0-1",
        _ => "=",
    })
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let at = |fen: &str| position(fen);
    match item.id.strip_prefix("002-b-").unwrap_or_default() {
        "roycroft-dc" => {
            let (after, _) = play(&at("b7/b1K5/8/3P4/3k4/8/8/8 w - - 0 1")?, "d6 Kc5 d7 Bb6+ Kc8 Kc6 d8=N+")?;
            Finding::numbers(item, &[moves(bench, &after, Metric::Dtc)?])
        }
        "roycroft-marks" => {
            let found = compared(bench, &at("b7/b1K5/8/3P4/3k4/8/8/8 w - - 0 1")?, item.printed, ["SM", "SM"])?;
            Ok(Finding::fact(item, found.1.is_empty(), words(&found)).because("they are the marks of SM"))
        }
        "pinter-depth" => {
            let at = at(PINTER)?;
            Finding::numbers(item, &[moves(bench, &at, Metric::Dtc)?, moves(bench, &at, Metric::Dtm)?])
        }
        "pinter-70" => {
            let game = famous_game("Pinter")?;
            let mut depths = Vec::new();
            for (ply, position, _) in game.positions() {
                if [138, 139].contains(&ply) {
                    depths.push(moves(bench, &position, Metric::Dtc)?);
                }
            }
            let [white, black] = depths[..] else { return Err(ReproduceError::Internal("a game is too short")) };
            Ok(Finding::numbers(item, &[black])?.because(format!("before Black's 70th move; before White's {white}")))
        }
        "pinter-kling" => {
            let game = famous_game("Pinter")?;
            let knights = [71, 90, 112].map(|number| {
                let found = game.positions().find(|(ply, ..)| *ply == 2 * number - 1).map(|(_, position, _)| position);
                (number, found)
            });
            let shown = knights.iter().filter_map(|(number, position)| {
                let board = position.as_ref()?.board();
                let knight: Square = (board.by_role(Role::Knight) & board.by_color(Color::White)).first()?;
                let king = board.king_of(Color::White)?;
                (king.distance(knight) == 1).then(|| format!("{number} {knight}"))
            });
            Ok(Finding::text(item, listed(shown)).because("the knight on b2, g2 or b7 with the king beside it"))
        }
        "pinter-end" => {
            let game = famous_game("Pinter")?;
            Finding::numbers(item, &[game.moves().len().div_ceil(2) as f64])
        }
        "ljubojevic-70" => {
            Ok(Finding::text(item, value(bench, &at("6k1/3q4/8/6Q1/6N1/7K/8/8 b - - 0 70")?, Metric::Dtz)?))
        }
        "ljubojevic-88" => {
            let changes = changes(bench)?;
            Ok(Finding::text(item, listed(&changes))
                .because("the moves that change the value from 70b on, by the score of the game at hand"))
        }
        "ljubojevic-117" => {
            let game = famous_game("Ljubojevic")?;
            let after = game.positions().find(|(ply, ..)| *ply == 234).map(|(_, position, _)| position);
            let after = after.ok_or(ReproduceError::Internal("a game is too short"))?;
            let mates = moves(bench, &after, Metric::Dtm)?;
            let outcome = value(bench, &after, Metric::Dtm)?;
            let last = 117.0 + mates;
            let computed = format!(
                "after 117. ... Qb7+ {outcome}, mate in {mates}: on move {last}; a draw can be claimed after move 120"
            );
            Ok(Finding::fact(item, outcome == "1-0" && last == 122.0, computed)
                .because("the last capture was on move 70; two moves beyond the claim is move 122"))
        }
        "wegner-depth" => {
            let at = at("8/8/7K/3q4/k7/8/p7/1Q6 w - - 0 127")?;
            Finding::numbers(item, &[moves(bench, &at, Metric::Dtc)?, moves(bench, &at, Metric::Dtm)?])
        }
        "croskill-1" => {
            Finding::numbers(item, &[moves(bench, &at("k7/6R1/2K5/8/2B5/8/8/7r w - - 0 1")?, Metric::Dtc)?])
        }
        "croskill-2" => {
            Finding::numbers(item, &[moves(bench, &at("1k6/8/2K5/8/2B3R1/8/7r/8 w - - 0 1")?, Metric::Dtc)?])
        }
        "fishbein-58" => {
            Ok(Finding::text(item, value(bench, &at("k7/1r6/8/8/2R2B2/8/5K2/8 b - - 0 58")?, Metric::Dtc)?))
        }
        "nikolic-167" => {
            Ok(Finding::text(item, value(bench, &at("8/8/8/1r1B3R/3K1k2/8/8/8 b - - 0 167")?, Metric::Dtc)?))
        }
        "nikolic-misses" => Finding::numbers(
            item,
            &[moves(bench, &at(AT_201)?, Metric::Dtc)?, moves(bench, &at(AT_239)?, Metric::Dtc)?],
        ),
        "nikolic-201-fen" => {
            let is_fen = parse_fen(item.printed).is_ok();
            Ok(Finding::fact(
                item,
                is_fen,
                format!("{}; {AT_201} fits the line", if is_fen { "a position" } else { "not a FEN" }),
            )
            .because("a slash is missing after B4; the position is lost in the text of the copy at hand or in print"))
        }
        "nikolic-201" => marks(bench, item, AT_201),
        "nikolic-239" => marks(bench, item, AT_239),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

fn marks(bench: &Bench<'_>, item: &Item, fen: &str) -> Result<Finding> {
    let found = compared(bench, &position(fen)?, item.printed, ["SC", "SC"])?;
    Ok(Finding::fact(item, found.1.is_empty(), words(&found)))
}

/// The moves of Ljubojevic-Hjartarson that change the value, in KQNKQ.
fn changes(bench: &Bench<'_>) -> Result<Vec<String>> {
    let game = famous_game("Ljubojevic")?;
    let endgame: Material = crate::bench::material("KQNKQ")?;
    let mut found = Vec::new();
    for (_, before, played) in game.positions() {
        bench.progress.proceed()?;
        if Material::of_board(before.board()).0 != endgame {
            continue;
        }
        let mut after = before.clone();
        after.play_unchecked(played.mv);
        if Material::of_board(after.board()).0 == endgame
            && value(bench, &before, Metric::Dtz)? != value(bench, &after, Metric::Dtz)?
        {
            found.push(format!("{}{}", before.fullmoves(), if before.turn().is_white() { "w" } else { "b" }));
        }
    }
    Ok(found)
}
