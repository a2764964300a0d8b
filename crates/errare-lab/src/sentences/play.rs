//! Games against agents in plain sentences.

use crate::{LegalMove, Outcome, PeopleLike, PlayResponse, PlayerCompetence};

impl PlayResponse {
    /// Describes in two sentences the players, the position and the person's task.
    #[must_use]
    pub fn greeting(&self) -> [String; 2] {
        let task = match self.theory {
            Outcome::Win => "the position is won for you",
            Outcome::Loss => "the position is lost for you: hold out as long as you can",
            _ => "the position is drawn: hold it, or set problems",
        };
        let (side, model) = (self.human.title(), self.model.sentence());
        [
            format!("{}: you are {side}, against {} ({model}; seed {}).", self.material, self.opponent, self.seed),
            format!("{}; {task}.", self.start),
        ]
    }

    /// Describes the best moves and what they lead to; none if the game is over.
    #[must_use]
    pub fn hint_sentence(&self) -> Option<String> {
        let best: Vec<&LegalMove> = self.legal.iter().filter(|mv| mv.optimal).collect();
        let keeping = self.legal.iter().filter(|mv| mv.keeps).count();
        let names: Vec<&str> = best.iter().map(|mv| mv.name.san.as_str()).collect();
        let first = best.first()?;
        let after = match first.depth {
            Some(depth) => format!("{}, {depth} by {} after it", first.outcome.name(), self.model.metric),
            None => first.outcome.name().to_owned(),
        };
        let (names, legal) = (names.join(", "), self.legal.len());
        Some(format!("Best: {names} ({after}). Moves that keep the value: {keeping} of {legal}."))
    }
}

impl PlayerCompetence {
    /// Describes how strong the person seems, or that the moves say too little.
    #[must_use]
    pub fn sentence(&self, like: Option<&PeopleLike>, is_enough: bool) -> String {
        if !is_enough {
            return "That is too little to say how strong you are in this endgame.".to_owned();
        }
        let [low, high] = self.interval;
        let like = like.map_or_else(String::new, |like| format!(": {} in this ending", like.words));
        format!(
            "You played like a player of competence {:.0} (nine tenths of the belief lie between {low} and {high}){like}.",
            self.expected_c
        )
    }
}
