//! `errare play`.

use crate::Exit;
use crate::modelling::{AnalysisFlags, ModelFlags, SideFlag, agents_and};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use errare_endgame::AgentSpec;
use errare_lab::{Endgame, Numeric, PlayRequest, Text};
use errare_tables::{DepthRange, WantedOutcome};
use errare_terminal::{BoardStyle, Output, Report, Session, SessionError};
use errare_work::{is_stdout, write_whole};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Play an endgame against an agent, in the terminal
///
/// The game starts from a position, or from one that is drawn from an endgame with you to move. Without arguments you have
/// the queen against the rook, at least 15 moves from conversion, against a player who can be beaten. Moves are typed as
/// Qd5 or d1d5; `help` lists what else can be typed. Play goes on after a conversion, to mate or to a draw. When 50 moves
/// by each side have passed without a capture or a pawn move, or a position is on the board for the third time, you may
/// claim a draw, and your opponent does so unless it is winning; after 75 moves or at the fifth time the game ends by
/// itself.
///
/// In the end you read what your moves were worth: which cost depth or value, what was better, and which competence you
/// seem to have, if there is enough to say. With --pgn the game is on disk after every move.
///
/// A seed and moves always give the same game. Without --seed a new one is chosen and shown.
///
/// With --format json nothing is asked: the response to the moves of --moves is printed (see `errare schema play`), and
/// the seed is 0 unless given.
#[derive(Args, Debug)]
#[command(after_help = agents_and("\
  errare play
  errare play KRK --as white --against infallible --pgn game.pgn
  errare play KQKR --depth 20..31 --against 15 --seed 7
  errare play KRKN --as black --outcome draw --against predator
  errare play '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --as black --against levy
  errare play KPK --moves 'Kd6 Kd8' --seed 3 --format json"))]
pub struct Flags {
    /// The endgame, such as KQKR, to draw a start from, or the start as a FEN, quoted or as several words [default: KQKR]
    #[arg(value_name = "MATERIAL|FEN")]
    start: Vec<String>,
    /// Depth of the start to draw, in moves of the winner, as in 20, 15..31 or 15.. [default: any; 15.. if no endgame is named]
    #[arg(long, value_name = "DEPTH")]
    depth: Option<DepthRange>,
    /// Outcome of the start to draw: win, draw or loss for you, white-wins or black-wins
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<WantedOutcome>,
    /// The side that you play
    #[arg(long = "as", value_enum, default_value_t, value_name = "SIDE")]
    side: SideFlag,
    /// The agent that you play against; a bare number is a competence [default: player:12]
    #[arg(long, value_name = "AGENT", allow_hyphen_values = true)]
    against: Option<AgentSpec>,
    /// Begin with these moves by both sides
    #[arg(long, default_value = "", value_name = "MOVES", hide_default_value = true)]
    moves: String,
    /// Random seed for the start and the agent's moves [default: a new one for every game]
    #[arg(long)]
    seed: Option<u64>,
    /// Write the game as PGN, with comments, after every move; with --format json `-` for stdout, instead of the response
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How the board is drawn [default: unicode on a terminal that can show it, else ascii]
    #[arg(long, value_enum, value_name = "STYLE")]
    board: Option<BoardStyle>,
    #[command(flatten)]
    rule: RuleFlags,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    analysis: AnalysisFlags,
    /// Output format: a session, or the response for programs
    #[arg(long, value_enum, default_value_t)]
    format: Report,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let start = flags.start.join(" ");
    let (fen, material) = match start.as_str() {
        "" => (None, None),
        fen if fen.contains('/') => (Some(start), None),
        material => {
            let endgame = material.parse::<Endgame>();
            let wrong = |error| anyhow!("invalid start `{material}`: expected an endgame or a FEN ({error})");
            (None, Some(Text(endgame.map_err(wrong)?)))
        }
    };
    let is_session = flags.format == Report::Table;
    let request = PlayRequest {
        fen,
        material,
        depth: flags.depth.map(Numeric),
        outcome: flags.outcome.map(Text),
        human: flags.side.into(),
        opponent: flags.against.map(Text),
        moves: errare_terminal::move_words(&flags.moves),
        finish: None,
        rule: Numeric(flags.rule.rule()),
        seed: flags.seed.unwrap_or_else(|| if is_session { new_seed() } else { 0 }),
        model: flags.model.request(),
        analysis: flags.analysis.request(),
    };
    settings.check_outputs(&request, &Vec::from_iter(&flags.pgn))?;
    if is_session {
        if flags.pgn.as_deref().is_some_and(is_stdout) {
            bail!("invalid file for --pgn: standard output shows the session; name a file, or use --format json");
        }
        let ask = |request: &PlayRequest| settings.run(request);
        let session = Session::start(request, flags.pgn, flags.board, &ask, &settings.terminal);
        return match session.and_then(Session::run) {
            Ok(()) => Ok(Exit::Clean),
            Err(SessionError::Lab(error)) => Err(error.into()),
            Err(SessionError::Output(error)) => Err(error.into()),
            Err(SessionError::Write(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        };
    }
    let found = settings.run(&request)?;
    if let Some(path) = &flags.pgn {
        write_whole(path, &found.pgn)?;
    }
    Output::beside(flags.pgn.as_deref()).json(&found)?;
    Ok(Exit::Clean)
}

/// A seed that is short enough to be typed again.
fn new_seed() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (time.as_secs() ^ u64::from(time.subsec_nanos())) % 1_000_000
}
