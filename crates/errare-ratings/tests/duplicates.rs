//! A game counts once, however often it is in the files.

use crate::common;
use crate::common::Test;
use errare_choice::Formula;
use errare_ratings::{
    ChoiceModel, Fitter, GameName, Merged, Method, Sample, Scale, Selection, TurnFormat, TurnOutput, TurnReader,
    TurnRow, TurnRows, TurnSet, merge_turn_files,
};
use errare_work::Silent;
use std::path::Path;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mileposts.jsonl.gz");

fn rows() -> Result<Vec<TurnRow>, errare_ratings::RatingsError> {
    TurnRows::open(Path::new(DATA))?.collect()
}

fn write(path: &Path, rows: impl IntoIterator<Item = TurnRow>) -> Test {
    let mut output = TurnOutput::create(path, TurnFormat::of(path).ok_or("a format")?)?;
    rows.into_iter().try_for_each(|row| output.write(row))?;
    Ok(output.finish()?)
}

/// A turn numbered as another run over another file of games would number it.
fn renumbered(row: &TurnRow) -> TurnRow {
    let number = match row.game {
        Some(GameName::Number(number)) => 1000 + number + i64::from(row.milepost.unwrap_or(0)),
        _ => 0,
    };
    TurnRow {
        game: Some(GameName::Number(number)),
        source: Some("other.pgn".to_owned()),
        source_game: Some(number),
        event: Some("World Cup (copy)".to_owned()),
        white_elo: None,
        ..row.clone()
    }
}

fn read(paths: &[&Path], selection: Selection) -> Result<TurnSet, errare_ratings::RatingsError> {
    let mut reader = TurnReader::new(Scale::default(), selection, common::engine());
    paths.iter().try_for_each(|path| reader.open(path, &Silent))?;
    Ok(reader.finish())
}

#[test]
#[ignore = "slow: make test-full"]
fn fits_and_their_errors_are_those_of_each_game_once() -> Test {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("copy.jsonl.zst");
    write(&copy, rows()?.iter().map(renumbered))?;
    let doubled = folder.path().join("doubled.jsonl");
    write(&doubled, rows()?.into_iter().chain(rows()?.iter().map(renumbered)))?;
    let data = Path::new(DATA);
    let all = rows()?.len() as u64;
    for selection in [Selection::default(), Selection { without_repeats: false, ..Selection::default() }] {
        let once = read(&[data], selection)?;
        assert_eq!((once.duplicate_games, once.left_out.duplicate), (0, 0));
        let fit = |set: &TurnSet| {
            Fitter::new(ChoiceModel::new(Formula::PAPER), Method::Moments).fit(&Sample::all(&set.turns), &Silent)
        };
        let expected = fit(&once)?;
        for files in [&[data, data][..], &[data, &copy], &[&doubled], &[&copy, data, &doubled]] {
            let set = read(files, selection)?;
            let copies = if files.len() == 3 { 3 } else { 1 };
            assert_eq!(set.left_out.duplicate, copies * all, "{files:?}");
            assert_eq!((set.turns.count(), set.turns.games().len()), (818, 15));
            assert_eq!((set.left_out.decided, set.left_out.early), (once.left_out.decided, once.left_out.early));
            assert!(set.duplicate_games >= 15, "{files:?}: {}", set.duplicate_games);
            let found = fit(&set)?;
            assert!(
                (found.skill.s() - expected.skill.s()).abs() < 1e-9 && (found.se_s() - expected.se_s()).abs() < 1e-9
            );
        }
    }
    Ok(())
}

/// The turns that stay are those of the games that stay, whatever was between them.
#[test]
fn the_games_that_stay_are_whole() -> Test {
    let folder = tempfile::tempdir()?;
    let mixed = folder.path().join("mixed.jsonl");
    let mut games: Vec<Vec<TurnRow>> = Vec::new();
    for row in rows()? {
        match games.last_mut() {
            Some(game) if (&game[0].game, game[0].milepost) == (&row.game, row.milepost) => game.push(row),
            _ => games.push(vec![row]),
        }
    }
    // Every game is followed by a copy of an earlier one.
    let copies =
        (0..games.len()).flat_map(|place| [games[place].clone(), games[place / 2].iter().map(renumbered).collect()]);
    write(&mixed, copies.flatten())?;
    let (once, found) = (read(&[Path::new(DATA)], Selection::ALL)?, read(&[&mixed], Selection::ALL)?);
    assert_eq!(found.turns.count(), once.turns.count());
    for (found, expected) in found.turns.iter().zip(once.turns.iter()) {
        assert_eq!((found.ply(), found.side(), found.played()), (expected.ply(), expected.side(), expected.played()));
        assert_eq!((found.losses(), found.played_move()), (expected.losses(), expected.played_move()));
        assert_eq!((found.evaluation(), found.game()), (expected.evaluation(), expected.game()));
    }
    Ok(())
}

/// Games of nobody may be of anybody, so none of them is a copy of another.
#[test]
fn games_without_names_are_not_compared() -> Test {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("nameless.jsonl");
    let first = rows()?.into_iter().next().ok_or("a turn")?;
    let nameless = |number: i64| TurnRow { white: None, game: Some(GameName::Number(number)), ..first.clone() };
    write(&path, (0..20).map(nameless))?;
    let set = read(&[&path], Selection::ALL)?;
    assert_eq!((set.turns.count(), set.duplicate_games), (20, 0));
    Ok(())
}

#[test]
fn merged_files_have_each_game_once() -> Test {
    let folder = tempfile::tempdir()?;
    let [copy, merged] = ["copy.parquet", "merged.jsonl"].map(|name| folder.path().join(name));
    let numbered = |row: TurnRow| TurnRow { source: Some("games.pgn".to_owned()), ..row };
    let mut rows: Vec<TurnRow> = rows()?.into_iter().filter(|row| row.milepost == Some(2700)).map(numbered).collect();
    rows.iter_mut().for_each(|row| row.milepost = None);
    let parts = [folder.path().join("one.jsonl"), copy.clone()];
    write(&parts[0], rows.clone())?;
    write(&copy, rows.iter().map(renumbered))?;
    let turns = rows.len() as u64;
    let found = merge_turn_files(&parts, &merged, TurnFormat::Jsonl, &Silent)?;
    assert_eq!(found, Merged { turns, duplicates: turns, duplicate_games: 3 });
    let written: Vec<TurnRow> = TurnRows::open(&merged)?.collect::<Result<_, _>>()?;
    assert!(written == rows);
    Ok(())
}

/// Where a copy is left out, what follows it keeps its own positions.
#[test]
fn positions_stay_with_their_moves() -> Test {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("middle.jsonl");
    let rows = rows()?;
    let first: Vec<TurnRow> = rows.iter().filter(|row| row.white == rows[0].white).map(renumbered).collect();
    let at = rows.iter().position(|row| row.white != rows[0].white).ok_or("a second game")?;
    write(&path, rows[..at].iter().cloned().chain(first).chain(rows[at..].iter().cloned()))?;
    let [once, copied] = [Path::new(DATA), &path].map(|path| read(&[path], Selection::default()));
    let (once, copied) = (once?, copied?);
    assert_eq!(copied.duplicate_games, 1);
    let shown = |set: &TurnSet| -> Vec<String> {
        set.turns.iter().map(|turn| format!("{} {} {}", turn.position(), turn.played_move(), turn.loss())).collect()
    };
    assert_eq!(shown(&copied), shown(&once));
    Ok(())
}
