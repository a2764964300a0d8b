//! Tables that others made: Syzygy and, with the feature, Gaviota, of three men.

use crate::support::facts;
use crate::support::tables;

use errare_tables::{
    ChecksumChecks, Comparison, Extent, Metric, Outcome, OwnedError, Reading, Source, SourceSpec, Syzygy, TableError,
    Value, compare, parse_fen, parse_fen_within,
};
use errare_work::Silent;
use facts::{number, rows};
use shakmaty::{Chess, Position};
use std::fs;
use std::path::{Path, PathBuf};

const DTZ50: Metric = Metric::DtzRule(50);

fn owned(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../errare/tests/data/owned").join(kind)
}

fn open(kind: &str) -> std::sync::Arc<dyn Source> {
    let spec: SourceSpec = format!("{kind}:{}", owned(kind).display()).parse().expect("a source");
    spec.open().expect("tables")
}

fn signed(value: Value) -> i32 {
    let plies = i32::from(value.plies.0);
    if value.outcome.is_win() { plies } else { -plies }
}

fn python_chess_reads_the_same(kind: &str, metric: Metric, column: usize) {
    let source = open(kind);
    for row in rows::<3>(include_str!("../../errare/tests/data/owned/kpk.csv")) {
        let position = parse_fen(row[0]).expect("a position");
        let value = source.value(&position, metric).expect("a value");
        assert_eq!(signed(value), number(row[column]), "{}", row[0]);
    }
}

/// Everything our tables hold of three men without pawns.
fn we_agree(kind: &str, metric: Metric) {
    let source = open(kind);
    for (endgame, positions) in [("KQK", 46_137), ("KRK", 50_015), ("KBK", 52_234), ("KNK", 53_806)] {
        let table = tables::table(endgame.parse().expect("an endgame"), metric);
        let found = compare(&table, &*source, Extent::Whole, 1, &Silent).expect("a comparison");
        assert_eq!((found.agreeing, found.compared()), (positions, positions), "{endgame}: {found:?}");
    }
}

fn the_end_of_the_game_has_its_value(kind: &str, metric: Metric) {
    let source = open(kind);
    let value = |fen: &str| source.value(&parse_fen(fen).expect("a position"), metric).expect("a value");
    assert_eq!(value("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), Value::new(Outcome::Loss, 0));
    assert_eq!(value("k7/8/1K6/8/8/8/7Q/8 w - - 0 1"), Value::new(Outcome::Win, 1));
    assert_eq!(value("k7/8/KQ6/8/8/8/8/8 b - - 0 1"), Value::DRAW);
    assert_eq!(value("k7/8/8/8/8/8/8/K7 w - - 0 1"), Value::DRAW);
}

fn only_its_metric_is_known(kind: &str, known: Metric) {
    let source = open(kind);
    let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").expect("a position");
    assert_eq!(source.metric(), known);
    for asked in [Metric::Dtc, Metric::Dtm, Metric::Dtz, DTZ50, Metric::DtzRule(40), Metric::Dtr] {
        match source.value(&position, asked) {
            Ok(value) => assert_eq!((asked, value), (known, Value::new(Outcome::Win, 31))),
            Err(error) => {
                let said = error.to_string();
                assert!(
                    said.contains(&format!("invalid metric {asked}")) && said.ends_with(&known.to_string()),
                    "{said}"
                );
            }
        }
    }
}

fn a_missing_table_is_named(kind: &str, metric: Metric, file: &str) {
    let source = open(kind);
    let position = parse_fen("8/8/8/2bb4/8/8/2k5/K6Q w - - 0 1").expect("a position");
    let error = source.value(&position, metric).expect_err("no such table").to_string();
    assert!(error.contains(&format!(" {file} in ")) && error.contains(&owned(kind).display().to_string()), "{error}");
    // One man too many for anybody.
    let position = parse_fen_within("8/8/8/8/qqqq4/8/qqk5/K6Q w - - 0 1", 9).expect("a position");
    let error = source.value(&position, metric).expect_err("no such tables").to_string();
    assert!(error.contains("too many men") && error.ends_with("found 9"), "{error}");
}

/// Copies the tables, one of them spoilt.
fn spoil(kind: &str, file: &str, spoil: impl Fn(Vec<u8>) -> Vec<u8>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(owned(kind)).expect("tables") {
        let path = entry.expect("a table").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    let path = folder.path().join(file);
    fs::write(&path, spoil(fs::read(&path).expect("a table"))).expect("a file");
    folder
}

/// No file whatever may do more than be refused.
fn damage_is_an_error(kind: &str, metric: Metric, file: &str, header: usize) {
    let positions: Vec<Chess> =
        ["8/8/8/3k4/8/8/1R6/K7 w", "8/2k5/8/8/5R2/8/8/4K3 b"].map(|fen| parse_fen(fen).expect("a position")).into();
    let mut refused = 0;
    for place in 0..header {
        let folder = spoil(kind, file, |mut bytes| {
            bytes[place] ^= 0x55;
            bytes
        });
        let spec: SourceSpec = format!("{kind}:{}", folder.path().display()).parse().expect("a source");
        let source = spec.open().expect("a table of the right length");
        for error in positions.iter().filter_map(|position| source.value(position, metric).err()) {
            let path = folder.path().join(file);
            assert!(matches!(&error, TableError::Owned(OwnedError::Damaged { path: named, .. }) if *named == path));
            refused += 1;
        }
    }
    // Gaviota files have no checksum: some damage only shows in the values.
    assert!(if kind == "syzygy" { refused == positions.len() * header } else { refused > 0 }, "{refused}");
    let folder = spoil(kind, file, |bytes| bytes[..bytes.len() / 2].to_vec());
    let spec: SourceSpec = format!("{kind}:{}", folder.path().display()).parse().expect("a source");
    let said =
        spec.open().and_then(|source| source.value(&positions[0], metric)).expect_err("half a table").to_string();
    assert!(said.contains(file), "{said}");
}

#[test]
fn syzygy_reads_as_python_chess_does() {
    python_chess_reads_the_same("syzygy", DTZ50, 1);
}

#[test]
fn syzygy_agrees_with_our_tables() {
    we_agree("syzygy", DTZ50);
}

#[test]
fn syzygy_knows_the_end_of_the_game() {
    the_end_of_the_game_has_its_value("syzygy", DTZ50);
}

#[test]
fn syzygy_knows_one_metric() {
    only_its_metric_is_known("syzygy", DTZ50);
}

#[test]
fn a_missing_syzygy_table_is_named() {
    a_missing_table_is_named("syzygy", DTZ50, "KBBvKQ.rtbw");
}

#[test]
fn a_damaged_syzygy_table_is_refused() {
    damage_is_an_error("syzygy", DTZ50, "KRvK.rtbz", 64);
}

#[test]
fn a_syzygy_table_that_was_truncated_since_it_was_found_is_named() {
    let folder = spoil("syzygy", "KPvK.rtbz", |bytes| bytes);
    let path = folder.path().join("KPvK.rtbz");
    let source = Syzygy::open(&[folder.path().to_owned()], ChecksumChecks::Every).expect("tables");
    fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(1024)).expect("truncated");
    let position = parse_fen("4K3/2k5/8/8/8/3P4/8/8 w").expect("a position");
    let expected = format!("damaged Syzygy table {}: its checksum is wrong", path.display());
    assert_eq!(source.dtz(&position).expect_err("truncated").to_string(), expected);
}

#[test]
fn syzygy_tables_may_lie_in_several_folders() {
    let [wdl, dtz] = ["rtbw", "rtbz"].map(|extension| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = format!("KRvK.{extension}");
        fs::copy(owned("syzygy").join(&file), folder.path().join(&file)).expect("a copy");
        folder
    });
    let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").expect("a position");
    let both = Syzygy::open(&[wdl.path().to_owned(), dtz.path().to_owned()], ChecksumChecks::Every).expect("tables");
    let reading = both.dtz(&position).expect("a value");
    // The table counts in moves, though here no ply is lost by it.
    assert_eq!(reading, Reading { value: Value::new(Outcome::Win, 31), is_rounded: true });
    let one = Syzygy::open(&[wdl.path().to_owned()], ChecksumChecks::Every).expect("tables");
    let error = one.dtz(&position).expect_err("no DTZ table").to_string();
    assert!(error.contains("KRvK.rtbz in"), "{error}");
}

/// Knows everything, but wrongly: every depth is said to be a ply less than it is.
struct Hasty(std::sync::Arc<dyn Source>);

impl Source for Hasty {
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        let value = self.0.value(position, metric)?;
        Ok(Value::new(value.outcome, value.plies.0.saturating_sub(1)))
    }

    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        let is_rounded = position.turn() == shakmaty::Color::White;
        Ok(Reading { value: self.value(position, metric)?, is_rounded })
    }
}

#[test]
fn what_is_rounded_is_counted_apart_from_what_is_wrong() {
    let table = tables::table("KRK".parse().expect("an endgame"), DTZ50);
    let find = |extent, limit| compare(&table, &Hasty(open("syzygy")), extent, limit, &Silent).expect("a comparison");
    let Comparison { agreeing, rounded, between, disagreeing, differences } = find(Extent::Whole, 3);
    // White, to move, always wins. Black, to move, is lost but for mates, which cannot be hastened, and draws.
    let black = 28_056;
    assert_eq!((rounded, between, agreeing + disagreeing), (50_015 - black, 0, black));
    assert!(disagreeing > 25_000 && agreeing > 2_796, "{agreeing} {disagreeing}");
    assert_eq!(differences.len(), 3);
    assert_eq!(differences, find(Extent::Whole, 5).differences[..3], "the first in the table's order");
    let sample = find(Extent::Sample { placements: 1000, seed: 4 }, 0);
    assert!((500..1000).contains(&sample.compared()) && sample.disagreeing > 0 && sample.differences.is_empty());
    assert_eq!(sample.disagreeing, find(Extent::Sample { placements: 1000, seed: 4 }, 0).disagreeing);
}

#[cfg(feature = "gaviota")]
mod gaviota {
    use super::*;

    #[test]
    fn gaviota_reads_as_python_chess_does() {
        python_chess_reads_the_same("gaviota", Metric::Dtm, 2);
    }

    #[test]
    fn gaviota_agrees_with_our_tables() {
        we_agree("gaviota", Metric::Dtm);
    }

    #[test]
    fn gaviota_knows_the_end_of_the_game() {
        the_end_of_the_game_has_its_value("gaviota", Metric::Dtm);
    }

    #[test]
    fn gaviota_knows_one_metric() {
        only_its_metric_is_known("gaviota", Metric::Dtm);
    }

    #[test]
    fn a_missing_gaviota_table_is_named() {
        a_missing_table_is_named("gaviota", Metric::Dtm, "kbbkq.gtb.cp4");
    }

    #[test]
    fn a_damaged_gaviota_table_is_refused() {
        damage_is_an_error("gaviota", Metric::Dtm, "krk.gtb.cp4", 64);
    }

    #[test]
    fn two_folders_take_turns() {
        let [queen, rook] = ["kqk.gtb.cp4", "krk.gtb.cp4"].map(|file| {
            let folder = tempfile::tempdir().expect("a folder");
            fs::copy(owned("gaviota").join(file), folder.path().join(file)).expect("a copy");
            let spec: SourceSpec = format!("gaviota:{}", folder.path().display()).parse().expect("a source");
            (spec.open().expect("tables"), folder)
        });
        let [with_queen, with_rook] =
            ["8/8/8/8/8/8/8/KQk5 b", "8/8/8/8/8/2k5/1R6/K7 w"].map(|fen| parse_fen(fen).expect("a position"));
        for _ in 0..2 {
            assert_eq!(queen.0.value(&with_queen, Metric::Dtm).ok(), Some(Value::new(Outcome::Loss, 10)));
            assert_eq!(rook.0.value(&with_rook, Metric::Dtm).ok(), Some(Value::new(Outcome::Win, 31)));
        }
    }

    #[test]
    fn a_table_under_another_name_is_refused() {
        // As many positions, other depths: nothing in the files tells them apart.
        for (name, other) in [("kqk", "krk"), ("krk", "kqk"), ("kqk", "kbk"), ("knk", "kqk")] {
            let [name, other] = [name, other].map(|endgame| format!("{endgame}.gtb.cp4"));
            let folder = spoil("gaviota", &name, |_| fs::read(owned("gaviota").join(&other)).expect("a table"));
            let spec: SourceSpec = format!("gaviota:{}", folder.path().display()).parse().expect("a source");
            let man = name.as_bytes()[1].to_ascii_uppercase() as char;
            let position = parse_fen(&format!("8/8/8/8/8/2k5/7{man}/K7 w")).expect("a position");
            let error = spec.open().and_then(|source| source.value(&position, Metric::Dtm)).expect_err("renamed");
            let said = error.to_string();
            assert!(said.contains(&name) && said.contains("it does not hold"), "{other} as {name}: {said}");
        }
    }
}
