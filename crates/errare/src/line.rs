//! `errare line`.

use crate::depth::{phrase, side};
use crate::output::{Format, Grid, Output};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use crate::sources::Sources;
use crate::{Verdict, say};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use errare_endgame::{Line, LineEnd, Liner, Pick, Strategy};
use errare_games::{Annotation, Game};
use errare_lab::{Depth, PgnOutput, fen_of, san, uci};
use errare_tables::{Material, Metric, SourceSpec, tables_to_mate};
use serde::Serialize;
use shakmaty::san::San;
use shakmaty::{ByColor, Chess, Color, KnownOutcome, Move, Outcome, Position};
use std::path::PathBuf;

/// Play a line between two strategies, or mark given moves
///
/// Strategies are written as in the papers. SZ, SC, SM, SR: the least DTZ, DTC, DTM, DTR for the side that wins, the
/// greatest for the side that loses; SZ50: DTZ under a rule; SRP: least DTR, then the shortest way through this phase.
/// SMC, SZCM: one after the other. SZ': moves after which the phase can still be ended in time. SC*, SM*: if the phase
/// cannot be ended in time SZ, else SZ' and then the strategy. SR1 to SR4: goals by DTR. SA1, SA2: mate if there is
/// time for it, else conversion, else SZCM or SR3ZCM*.
///
/// The halfmove clock of the FEN counts towards the rule; a line ends with mate, or when a draw can be claimed.
///
/// Marks: ' the only move the strategy allows, " the only one that keeps the value, ° the only legal one, [...] other
/// moves that the strategy allows, -n worse by n moves, v changes the value. With --moves the moves given are marked.
///
/// JSON: {"fen", "white", "black", "rule", "lines": [{"end", "moves": [{"uci", "san", "mark", "alternatives": [san]}],
/// "phases": [{"ply", "fen", "depths": {"dtz": {"outcome", "plies", "moves"}}}], "last"}]}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare line '8/8/2k5/8/4n3/3Q2n1/8/4K3 w - - 0 1' --white SMC --black SCM
  errare line 'k7/6R1/2K5/8/2B5/8/8/7r w - - 0 1' --white SC --black SC --pgn croskill.pgn
  errare line '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --white SM --black SR --all
  errare line '4k3/5R2/3K4/3B4/8/8/8/3r4 w - - 0 1' --white SC --black SC --moves 'Rg7 Rd2'")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// What White follows
    #[arg(long, value_name = "STRATEGY")]
    white: Strategy,
    /// What Black follows
    #[arg(long, value_name = "STRATEGY")]
    black: Strategy,
    /// Among moves that a strategy allows take the first by the order of squares: what is done anyway
    #[arg(long, conflicts_with_all = ["all", "seed", "moves"])]
    first: bool,
    /// Take one by chance
    #[arg(long, conflicts_with_all = ["all", "moves"])]
    seed: Option<u64>,
    /// All lines, but no more than --most
    #[arg(long, conflicts_with = "moves")]
    all: bool,
    /// The most lines
    #[arg(long, default_value_t = 100, requires = "all")]
    most: usize,
    /// Mark these moves instead: SAN, with or without numbers
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The most plies of a line
    #[arg(long, default_value_t = 2000)]
    plies: usize,
    /// Metrics told at the beginning of each phase [default: dtz, dtc and what the strategies ask]
    #[arg(long, value_delimiter = ',')]
    metric: Vec<Metric>,
    /// Write the lines as games
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    rule: RuleFlags,
    /// Tables to ask instead of ours: tables:DIR for ours elsewhere
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let sources = Sources::open(settings, flags.source.as_ref())?;
    let position = sources.position(&flags.fen.join(" "))?;
    let given = flags.moves.as_deref().map(|text| read_moves(&position, text)).transpose()?;
    let mut metrics = if flags.metric.is_empty() { vec![Metric::Dtz, Metric::Dtc] } else { flags.metric.clone() };
    let mut asked = vec![Metric::Dtz];
    for metric in flags.white.metrics().into_iter().chain(flags.black.metrics()) {
        asked.push(metric);
        if flags.metric.is_empty() && !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    asked.extend(&metrics);
    let (material, _) = Material::of_board(position.board());
    let source = sources.source();
    let lines = sources.work_with(&tables_to_mate(material, asked), || {
        let liner = Liner {
            source: &*source,
            strategies: ByColor { white: flags.white.clone(), black: flags.black.clone() },
            rule: flags.rule.moves(),
            plies: flags.plies,
            metrics: metrics.clone(),
        };
        match (&given, flags.all) {
            (Some(moves), _) => Ok(vec![liner.mark(&position, moves)?]),
            (None, true) => liner.all(&position, flags.most),
            (None, false) => {
                let pick = flags.seed.map_or(Pick::First, Pick::Seed);
                Ok(vec![liner.line(&position, pick)?])
            }
        }
    })?;
    if flags.all && lines.len() == flags.most {
        say(&format!("note: there may be more than {} lines: see --most", flags.most));
    }
    if let Some(path) = &flags.pgn {
        write_games(path, &flags, &position, &lines)?;
    }
    print(&flags, &position, &lines)?;
    Ok(Verdict::Clean)
}

/// Moves in SAN; numbers and results are passed over.
fn read_moves(start: &Chess, text: &str) -> Result<Vec<Move>> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if word.is_empty() {
            continue;
        }
        let bare = word.trim_end_matches(['+', '#', '!', '?', '\'', '"', '°']);
        let san: San = bare.parse().map_err(|_| anyhow!("`{word}` is no move"))?;
        let mv = san.to_move(&position).map_err(|_| anyhow!("{word} is illegal in {}", fen_of(&position)))?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    if moves.is_empty() {
        bail!("--moves has no move");
    }
    Ok(moves)
}

#[derive(Debug, Serialize)]
struct Answer {
    fen: String,
    white: String,
    black: String,
    rule: Option<u16>,
    mleft: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    lines: Vec<ToldLine>,
}

#[derive(Debug, Serialize)]
struct ToldLine {
    end: &'static str,
    plies: usize,
    moves: Vec<ToldMove>,
    phases: Vec<ToldPhase>,
    last: String,
}

#[derive(Debug, Serialize)]
struct ToldMove {
    ply: usize,
    uci: String,
    san: String,
    mark: String,
    alternatives: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ToldPhase {
    ply: usize,
    fen: String,
    depths: serde_json::Map<String, serde_json::Value>,
}

fn print(flags: &Flags, position: &Chess, lines: &[Line]) -> Result<()> {
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&Answer {
            fen: fen_of(position),
            white: flags.white.to_string(),
            black: flags.black.to_string(),
            rule: flags.rule.moves(),
            mleft: flags.rule.moves_left(position),
            seed: flags.seed,
            lines: lines.iter().map(told).collect::<Result<_>>()?,
        })?,
        Format::Csv => {
            let mut grid = Grid::new(&["line", "ply", "uci", "san", "mark", "alternatives"]);
            for (number, line) in lines.iter().enumerate() {
                for mv in told(line)?.moves {
                    let fields = [mv.uci, mv.san, mv.mark, mv.alternatives.join(" ")];
                    grid.push([(number + 1).to_string(), mv.ply.to_string()].into_iter().chain(fields));
                }
            }
            output.csv(&grid)?;
        }
        Format::Table => {
            let rule = match (flags.rule.moves(), flags.rule.moves_left(position)) {
                (Some(rule), Some(left)) => format!("rule of {rule} moves, {left} left"),
                _ => "no rule".to_owned(),
            };
            output.line(&fen_of(position))?;
            output.line(&format!("{} for White, {} for Black; {rule}", flags.white, flags.black))?;
            for line in lines {
                output.line("")?;
                for text in in_words(line) {
                    output.line(&text)?;
                }
            }
        }
    }
    Ok(())
}

fn told(line: &Line) -> Result<ToldLine> {
    let position_at = |ply: usize| line.moves.get(ply).map_or(&line.last, |mv| &mv.position);
    let moves = line.moves.iter().enumerate().map(|(ply, mv)| ToldMove {
        ply: ply + 1,
        uci: uci(mv.mv),
        san: san(&mv.position, mv.mv),
        mark: mv.mark(),
        alternatives: mv.alternatives().map(|other| san(&mv.position, other)).collect(),
    });
    let mut phases = Vec::new();
    for phase in &line.phases {
        let mut depths = serde_json::Map::new();
        for (metric, value) in &phase.depths {
            depths.insert(metric.to_string(), serde_json::to_value(Depth::of(value, *metric))?);
        }
        phases.push(ToldPhase { ply: phase.ply, fen: fen_of(position_at(phase.ply)), depths });
    }
    Ok(ToldLine {
        end: end_name(line.end),
        plies: line.moves.len(),
        moves: moves.collect(),
        phases,
        last: fen_of(&line.last),
    })
}

fn end_name(end: LineEnd) -> &'static str {
    match end {
        LineEnd::Mate => "mate",
        LineEnd::Dead => "draw",
        LineEnd::Claim => "draw claim",
        LineEnd::Length => "broken off",
    }
}

/// Movetext with marks, a paragraph for each phase.
fn in_words(line: &Line) -> Vec<String> {
    let mut lines = Vec::new();
    let starts: Vec<usize> = line.phases.iter().map(|phase| phase.ply).chain([line.moves.len()]).collect();
    for (phase, range) in line.phases.iter().zip(starts.windows(2)) {
        let depth = |(metric, value): &(Metric, errare_tables::Value)| match phrase(value, *metric).as_str() {
            "" => format!("{metric} draw"),
            words => format!("{metric} {words}"),
        };
        let depths: Vec<String> = phase.depths.iter().map(depth).collect();
        lines.push(format!("{{{}}}", depths.join("; ")));
        let words: Vec<String> = (range[0]..range[1]).map(|ply| word(line, ply, ply == range[0])).collect();
        lines.extend(wrapped(&words.join(" ")));
    }
    lines.push(match line.end {
        LineEnd::Mate => format!("mate: {} wins", side(!line.last.turn())),
        LineEnd::Dead => "drawn".to_owned(),
        LineEnd::Claim => format!("a draw can be claimed: {}", fen_of(&line.last)),
        LineEnd::Length => format!("{{{}}}", fen_of(&line.last)),
    });
    lines
}

fn word(line: &Line, ply: usize, begins: bool) -> String {
    let mv = &line.moves[ply];
    let number = match mv.position.turn() {
        Color::White => format!("{}. ", mv.position.fullmoves()),
        Color::Black if begins => format!("{}... ", mv.position.fullmoves()),
        Color::Black => String::new(),
    };
    let others: Vec<String> = mv.alternatives().map(|other| san(&mv.position, other)).collect();
    let others = if others.is_empty() || mv.worse_by > 0 || mv.changes_value {
        String::new()
    } else {
        format!(" [{}]", others.join(", "))
    };
    format!("{number}{}{}{others}", san(&mv.position, mv.mv), mv.mark())
}

/// At words, into lines that a terminal shows.
fn wrapped(text: &str) -> Vec<String> {
    const COLUMNS: usize = 100;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > COLUMNS {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last] += word;
        }
    }
    lines
}

fn write_games(path: &std::path::Path, flags: &Flags, start: &Chess, lines: &[Line]) -> Result<()> {
    let mut games = PgnOutput::create(path, &[])?;
    for (number, line) in lines.iter().enumerate() {
        let mut game = Game::new(start.clone());
        game.set_tag("Event", "errare line");
        game.set_tag("Round", &(number + 1).to_string());
        game.set_tag("White", &flags.white.to_string());
        game.set_tag("Black", &flags.black.to_string());
        let mut annotations = Vec::new();
        for mv in &line.moves {
            game.push(mv.mv).context("a move of a line")?;
            let others: Vec<String> = mv.alternatives().map(|other| san(&mv.position, other)).collect();
            let mut words = mv.mark();
            if !others.is_empty() {
                words += &format!(" [{}]", others.join(", "));
            }
            let comment = (!words.is_empty()).then(|| words.trim().to_owned());
            annotations.push(Annotation { nags: Vec::new(), comment });
        }
        game.result = Some(match line.end {
            LineEnd::Mate => Outcome::Known(KnownOutcome::Decisive { winner: !line.last.turn() }),
            LineEnd::Dead | LineEnd::Claim => Outcome::Known(KnownOutcome::Draw),
            LineEnd::Length => Outcome::Unknown,
        });
        games.write(&game, &annotations)?;
    }
    Ok(games.finish()?)
}
