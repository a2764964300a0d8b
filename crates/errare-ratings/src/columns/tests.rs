//! What is written reads back as it was, and a damaged file is an error, not a panic.

use super::*;
use crate::{Evaluation, RatingsError, TurnFormat, TurnRows, TurnWriter};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

fn rows(count: u16) -> Vec<TurnRow> {
    let row = |ply: u16| TurnRow {
        milepost: ply.is_multiple_of(3).then_some(2100),
        game: Some(GameName::Number(i64::from(ply / 5))),
        source: Some("games.pgn".to_owned()),
        white: Some(format!("Ødegård, {}", ply / 5)),
        white_elo: Some(2100 + ply % 7),
        ply,
        fen: format!("8/8/8/8/8/8/8/K1k5 w - - {ply} 9"),
        played: "a1a2".to_owned(),
        lines: (0..ply % 4)
            .map(|n| {
                let score = i32::from(ply) - 50;
                (format!("a1a{n}"), if n < 2 { Evaluation::Centipawns(score) } else { Evaluation::Mate(score) })
            })
            .collect(),
        engine: Some("E".to_owned()),
        depth: Some(10),
        ..TurnRow::default()
    };
    (0..count).map(row).collect()
}

fn bytes(rows: &[TurnRow]) -> Vec<u8> {
    let mut writer = TurnWriter::new(Vec::new(), TurnFormat::Parquet).unwrap();
    rows.iter().for_each(|row| writer.write(row.clone()).unwrap());
    writer.finish().unwrap()
}

fn read(path: &Path) -> Result<Vec<TurnRow>, RatingsError> {
    TurnRows::open(path)?.collect()
}

#[test]
fn rows_come_back_from_several_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turns");
    for count in [0, 1, 20_000] {
        let rows = rows(count);
        fs::write(&path, bytes(&rows)).unwrap();
        assert!(read(&path).unwrap() == rows, "{count} rows");
    }
}

#[test]
fn what_has_no_place_in_columns_is_refused() {
    let mut writer = TurnWriter::new(Vec::new(), TurnFormat::Parquet).unwrap();
    let named = TurnRow { game: Some(GameName::Text("final".to_owned())), ..TurnRow::default() };
    assert!(writer.write(named).unwrap_err().to_string().contains("`final`"));
    let deep = TurnRow { other_depths: [(8, Vec::new())].into(), ..TurnRow::default() };
    assert!(writer.write(deep).unwrap_err().to_string().contains("other depths"));
}

#[test]
fn damaged_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turns");
    let whole = bytes(&rows(300));
    let mut errors = 0;
    for place in (4..whole.len()).step_by(whole.len() / 400) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        fs::write(&path, &damaged).unwrap();
        let found = read(&path);
        assert!(found.as_ref().is_ok_and(|found| *found == rows(300)) || found.is_err(), "byte {place}");
        errors += u32::from(found.is_err());
        fs::write(&path, &whole[..place]).unwrap();
        assert!(read(&path).is_err());
    }
    assert!(errors > 300, "{errors}");
}

/// Whatever bit of a file flips, its turns are as they were, or there is an error.
#[test]
fn no_flipped_bit_gives_other_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turns");
    let rows = rows(3);
    let (mut same, mut errors) = (0, 0);
    for format in [TurnFormat::Parquet, TurnFormat::Jsonl, TurnFormat::JsonlGz, TurnFormat::JsonlZst] {
        let mut writer = TurnWriter::new(Vec::new(), format).unwrap();
        rows.iter().for_each(|row| writer.write(row.clone()).unwrap());
        let whole = writer.finish().unwrap();
        fs::write(&path, &whole).unwrap();
        let mut file = File::options().write(true).open(&path).unwrap();
        // In place: a file system may wait for the disk whenever a file is written anew.
        let mut put = |place: usize, byte: u8| {
            file.seek(SeekFrom::Start(place as u64)).unwrap();
            file.write_all(&[byte]).unwrap();
        };
        for bit in 0..8 * whole.len() {
            let (place, byte) = (bit / 8, whole[bit / 8]);
            put(place, byte ^ (1 << (bit % 8)));
            let found = read(&path);
            put(place, byte);
            match found {
                Ok(found) => {
                    assert!(found == rows, "{format:?}, bit {bit} of {}", 8 * whole.len());
                    same += 1;
                }
                Err(_) => errors += 1,
            }
        }
    }
    // What may flip without harm is in headers: the time in that of gzip, the names of keys.
    assert!(errors > 20 * same && same > 0, "{same} {errors}");
}

/// Files of other programs and of early versions have no checksums, and are read all the same.
#[test]
fn files_without_checksums_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turns");
    let whole = bytes(&rows(20));
    let key = b"errare.crc32";
    let place = whole.windows(key.len()).position(|window| window == key).unwrap();
    let mut other = whole.clone();
    other[place] = b'x';
    for (bytes, unchecked) in [(whole, 0), (other, 20)] {
        fs::write(&path, bytes).unwrap();
        let mut found = TurnRows::open(&path).unwrap();
        assert!(found.by_ref().map(Result::unwrap).eq(rows(20)));
        assert_eq!(found.unchecked(), unchecked);
    }
}
