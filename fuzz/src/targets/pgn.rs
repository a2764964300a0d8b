//! Games in PGN.

use errare_games::{Game, Games, write_game};

/// Whatever games are found can be written, and read back as the same moves.
pub fn games(bytes: &[u8]) {
    for game in Games::new(bytes).take(200).flatten() {
        let mut written = Vec::new();
        write_game(&mut written, &game, &[]).expect("written to memory");
        let again: Vec<Game> = Games::new(&written[..]).collect::<Result<_, _>>().unwrap_or_else(|error| {
            panic!("what was written cannot be read: {error}\n{}", String::from_utf8_lossy(&written))
        });
        let moves = |game: &Game| game.moves().iter().map(|made| made.mv).collect::<Vec<_>>();
        assert_eq!(again.iter().map(moves).collect::<Vec<_>>(), [moves(&game)]);
    }
}
