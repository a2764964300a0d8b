//! A game in the terminal: the board is shown, a line is read, and the lab says how the game stands then.

use crate::{Awaited, BoardPainter, BoardStyle, GAME_COMMANDS, GameCommand, Output, OutputError, TypedLines};
use errare_endgame::{EndgameError, parse_move};
use errare_lab::{LabError, LegalMove, PlayEndName, PlayFinish, PlayRequest, PlayResponse, Sheet, Side, cell};
use errare_tables::{FenError, parse_fen_within};
use errare_work::{Cancelled, Progress, WriteError, write_whole};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// More men than any tables have.
const ANY_MEN: usize = 32;

/// The number of moves left by the move rule from which on the rule is mentioned.
const FEW_MOVES: u32 = 20;

/// Why a game in the terminal stopped before it was over.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The lab does not say how the game stands, or the person stopped it.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The game cannot be saved.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Standard input cannot be read.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// The lab gave an invalid position.
    #[error("the game has an invalid position: {0}")]
    Position(#[from] FenError),
}

type Result<T> = std::result::Result<T, SessionError>;

/// The function that is asked with every move: it plays a game as far as a request has it.
pub type AskGame<'a> = &'a dyn Fn(&PlayRequest) -> std::result::Result<PlayResponse, LabError>;

/// A game in the terminal.
pub struct Session<'a> {
    ask: AskGame<'a>,
    terminal: &'a dyn Progress,
    output: Output,
    painter: BoardPainter,
    /// The side at the bottom of the board.
    view: Color,
    pgn: Option<PathBuf>,
    /// The game so far, as a request.
    request: PlayRequest,
    /// The state of the game after the last answer of the lab.
    game: PlayResponse,
    /// Whether a person sits at the keyboard, who needs a prompt.
    has_prompt: bool,
}

impl<'a> Session<'a> {
    /// Begins a game that is saved in a file, if one is named, after every move. The terminal says when to stop.
    ///
    /// # Errors
    /// If the game cannot begin.
    pub fn start(
        request: PlayRequest,
        pgn: Option<PathBuf>,
        style: Option<BoardStyle>,
        ask: AskGame<'a>,
        terminal: &'a dyn Progress,
    ) -> Result<Session<'a>> {
        let game = ask(&request)?;
        let mut session = Session {
            ask,
            terminal,
            output: Output::stdout(),
            painter: BoardPainter::for_stdout(style),
            view: request.human.into(),
            pgn,
            request,
            game,
            has_prompt: io::stdin().is_terminal(),
        };
        // From now on the start is known.
        let request = &mut session.request;
        (request.fen, request.material) = (Some(session.game.start.clone()), None);
        (request.depth, request.outcome) = (None, None);
        session.adopt_moves();
        Ok(session)
    }

    /// Plays the game to its end, or until the person stops.
    ///
    /// # Errors
    /// If the lab fails, the person interrupts it, or something cannot be read or written.
    pub fn run(mut self) -> Result<()> {
        self.greet()?;
        self.save_progress()?;
        let lines = TypedLines::of_stdin();
        while self.game.end.is_none() {
            self.prompt()?;
            match lines.next(self.terminal)? {
                Awaited::Line(line) => {
                    if !self.has_prompt {
                        self.output.line(&format!("> {}", line.trim()))?;
                    }
                    if GameCommand::read(&line).map(|typed| self.obey(typed)).transpose()? == Some(Next::Stop) {
                        return self.stop();
                    }
                }
                Awaited::Over => return self.stop(),
                Awaited::Interrupted => {
                    // The game is on disk already, if it is to be.
                    self.output.line("")?;
                    return Err(LabError::Cancelled(Cancelled).into());
                }
            }
        }
        self.output.line("")?;
        if let Some(review) = &self.game.review {
            self.output.lines(&review.summary)?;
            if let Some(turning_point) = &review.turning_point {
                self.output.line(&turning_point.why)?;
            }
            self.output.line(&self.game.competence.sentence(self.game.like.as_ref(), review.enough_evidence))?;
        }
        self.say_where()
    }

    /// Ends the session while the game goes on.
    fn stop(mut self) -> Result<()> {
        let moves = self.game.moves.iter().filter(|mv| mv.side == self.game.human).count();
        let moves = if moves == 1 { "1 move of yours".to_owned() } else { format!("{moves} moves of yours") };
        self.output.line(&format!("The game stops here, after {moves}."))?;
        self.say_where()
    }

    fn say_where(&mut self) -> Result<()> {
        if let Some(path) = &self.pgn {
            let line = format!("The game is in {}.", path.display());
            self.output.line(&line)?;
        }
        Ok(())
    }

    fn greet(&mut self) -> Result<()> {
        let [who, task] = self.game.greeting();
        self.output.lines([who, format!("{task} Type a move, or help.")])?;
        if let Some(last) = self.game.moves.last() {
            let line = format!("{} {}", last.number, last.name.san);
            self.output.line(&line)?;
        }
        self.show_board()
    }

    fn prompt(&mut self) -> Result<()> {
        if self.has_prompt {
            self.output.bytes(b"> ")?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> Result<()> {
        let last = self.game.moves.last().and_then(|mv| mv.name.uci.parse::<UciMove>().ok());
        let last = match last {
            Some(UciMove::Normal { from, to, .. }) => Some((from, to)),
            _ => None,
        };
        let lines = self.painter.lines(self.position()?.board(), self.view, last);
        self.output.line("")?;
        self.output.lines(&lines)?;
        let mut notes = Vec::new();
        if self.game.check && self.game.end.is_none() {
            notes.push("You are in check.".to_owned());
        }
        match (self.game.clock.claim, self.game.clock.moves_left) {
            (Some(PlayEndName::Repetition), _) => {
                notes.push("The position is on the board for the third time: `draw` claims a draw.".to_owned());
            }
            (Some(_), _) => {
                notes.push(format!("The {}-move rule allows a draw: `draw` claims it.", self.game.clock.rule));
            }
            (None, Some(left)) if left <= FEW_MOVES => {
                notes.push(format!("Moves left by the {}-move rule: {left}.", self.game.clock.rule));
            }
            _ => {}
        }
        Ok(self.output.lines(&notes)?)
    }

    fn position(&self) -> Result<Chess> {
        Ok(parse_fen_within(&self.game.fen, ANY_MEN)?)
    }

    /// Carries out a command that was typed.
    fn obey(&mut self, typed: GameCommand) -> Result<Next> {
        match typed {
            GameCommand::Hint => self.hint()?,
            GameCommand::Moves => self.output.table(&moves(&self.game.legal))?,
            GameCommand::Back => self.back()?,
            GameCommand::Flip => {
                self.view = !self.view;
                self.show_board()?;
            }
            GameCommand::Draw => self.finish(PlayFinish::ClaimDraw)?,
            GameCommand::Resign => self.finish(PlayFinish::Resign)?,
            GameCommand::Save(file) if file.is_empty() => {
                self.output.line("Give the name of a file, as in save game.pgn.")?
            }
            GameCommand::Save(file) => match write_whole(Path::new(&file), &self.game.pgn) {
                Ok(()) => self.output.line(&format!("The game is in {file}."))?,
                Err(error) => self.output.line(&format!("{error}."))?,
            },
            GameCommand::Help => self.help()?,
            GameCommand::Quit => return Ok(Next::Stop),
            GameCommand::Move(text) => self.make(&text)?,
        }
        Ok(Next::GoOn)
    }

    fn help(&mut self) -> Result<()> {
        self.output.line("Type a move as Qd5 or d1d5, or one of:")?;
        for (name, about) in GAME_COMMANDS {
            self.output.line(&format!("  {name:<10} {about}"))?;
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<()> {
        let hint = self.game.hint_sentence();
        Ok(self.output.lines(hint)?)
    }

    fn make(&mut self, text: &str) -> Result<()> {
        let position = self.position()?;
        match parse_move(&position, text) {
            Ok(mv) => {
                self.request.moves.push(mv.to_uci(CastlingMode::Standard).to_string());
                self.reply()
            }
            Err(error) => {
                let hint = if text.chars().all(char::is_alphabetic) { " Type help for the commands." } else { "" };
                Ok(self.output.line(&format!("{error}.{hint}"))?)
            }
        }
    }

    /// Takes the last move of the person back, with the reply.
    fn back(&mut self) -> Result<()> {
        let is_own = |side: Side| side == self.game.human;
        let Some(place) = self.game.moves.iter().rposition(|mv| is_own(mv.side)) else {
            return Ok(self.output.line("You have made no move that could be taken back.")?);
        };
        self.request.moves.truncate(place);
        self.game = (self.ask)(&self.request)?;
        self.adopt_moves();
        self.save_progress()?;
        self.show_board()
    }

    fn finish(&mut self, finish: PlayFinish) -> Result<()> {
        self.request.finish = Some(finish);
        match (self.ask)(&self.request) {
            Ok(game) => {
                self.game = game;
                self.save_progress()
            }
            Err(LabError::Endgame(error @ EndgameError::NoClaim(_))) => {
                self.request.finish = None;
                Ok(self.output.line(&format!("{error}."))?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks for the reply to the person's move, and shows it.
    fn reply(&mut self) -> Result<()> {
        let before = self.game.moves.len();
        self.game = (self.ask)(&self.request)?;
        self.adopt_moves();
        self.save_progress()?;
        let mut words = Vec::new();
        for (place, mv) in self.game.moves.iter().enumerate().skip(before) {
            if place == before || mv.side == Side::White {
                words.push(mv.number.clone());
            }
            words.push(mv.name.san.clone());
        }
        self.output.line(&words.join(" "))?;
        self.show_board()
    }

    /// Puts the moves of the game into the request, so that the reply is part of the game from now on.
    fn adopt_moves(&mut self) {
        self.request.moves = self.game.moves.iter().map(|mv| mv.name.uci.clone()).collect();
    }

    /// Writes the game to its file, after every move, so that nothing is lost whatever happens.
    fn save_progress(&mut self) -> Result<()> {
        if let Some(path) = &self.pgn {
            write_whole(path, &self.game.pgn)?;
        }
        Ok(())
    }
}

/// Whether to go on after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
}

/// A table of all moves with what they lead to.
fn moves(legal: &[LegalMove]) -> Sheet {
    let mut grid = Sheet::new(&["move", "outcome", "depth", "value"]);
    for mv in legal {
        let remark = match (mv.optimal, mv.keeps) {
            (true, _) => "kept, best",
            (false, true) => "kept",
            (false, false) => "given up",
        };
        grid.push([mv.name.san.clone(), mv.outcome.name().to_owned(), cell(mv.depth), remark.to_owned()]);
    }
    grid
}
