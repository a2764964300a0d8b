//! Turn files: JSON lines, plain or compressed by gzip or zstd, or Parquet. The format of a file is detected by its first
//! bytes when it is read, and chosen by its name when it is written.

use crate::columns::{ParquetRows, ParquetWriter};
use crate::error::RatingsError;
use crate::file_kind::FileKind;
use crate::jsonl::{self, TextRows};
use crate::record::Record;
use crate::row::TurnRow;
use errare_work::is_stdout;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zstd::stream::write::Encoder as ZstdEncoder;

/// The place of a turn in its file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnPlace {
    /// The number of a line of text.
    Line(u64),
    /// The number of a row of a Parquet file.
    Row(u64),
}

impl fmt::Display for TurnPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnPlace::Line(number) => write!(f, "line {number}"),
            TurnPlace::Row(number) => write!(f, "row {number}"),
        }
    }
}

/// Reads the turns of a file one after the other, with all their fields.
pub struct TurnRows<'a>(Kind<'a>);

enum Kind<'a> {
    Text(Box<TextRows<'a>>),
    Parquet(Box<ParquetRows>),
}

/// The first and last bytes of every Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// The turn file of a folder that `errare evaluate` wrote.
const FOLDER_FILE: &str = "turns.parquet";

/// Finds the file that a path stands for: the path itself, or the `turns.parquet` of a folder.
#[must_use]
pub fn turn_file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FOLDER_FILE) } else { path.to_owned() }
}

impl<'a> TurnRows<'a> {
    /// Reads JSON lines, plain or compressed.
    ///
    /// # Errors
    /// [`RatingsError::Open`] if the first bytes cannot be read, [`RatingsError::NotTurns`] if they show that it is
    /// something else.
    pub fn new(source: impl Read + 'a) -> Result<TurnRows<'a>, RatingsError> {
        Ok(TurnRows(Kind::Text(Box::new(TextRows::new(source)?))))
    }

    /// Opens a file of any format, or the `turns.parquet` of a folder.
    ///
    /// # Errors
    /// If the file cannot be read, is something else than turns, or is a Parquet file that is damaged.
    pub fn open(path: &Path) -> Result<TurnRows<'static>, RatingsError> {
        let file = turn_file_of(path);
        if path.is_dir() && !file.is_file() {
            return Err(RatingsError::NotTurns(FileKind::Folder));
        }
        let mut file = File::open(file).map_err(RatingsError::Open)?;
        let mut first = Vec::new();
        Read::by_ref(&mut file).take(PARQUET.len() as u64).read_to_end(&mut first).map_err(RatingsError::Open)?;
        // What cannot be rewound, such as a pipe, is text.
        let kind = if first == PARQUET {
            Kind::Parquet(Box::new(ParquetRows::new(file)?))
        } else if file.rewind().is_ok() {
            Kind::Text(Box::new(TextRows::new(file)?))
        } else {
            Kind::Text(Box::new(TextRows::new(io::Cursor::new(first).chain(file))?))
        };
        Ok(TurnRows(kind))
    }

    /// The place of the turn that was read last.
    pub fn place(&self) -> TurnPlace {
        match &self.0 {
            Kind::Text(rows) => TurnPlace::Line(rows.line()),
            Kind::Parquet(rows) => TurnPlace::Row(rows.row()),
        }
    }

    /// Number of turns so far that no checksum vouches for, as in hand-made files, and of files of early versions.
    pub fn unchecked(&self) -> u64 {
        match &self.0 {
            Kind::Text(rows) => rows.unchecked(),
            Kind::Parquet(rows) => rows.unchecked(),
        }
    }
}

impl Iterator for TurnRows<'_> {
    type Item = Result<TurnRow, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Kind::Text(rows) => rows.next(),
            Kind::Parquet(rows) => rows.next(),
        }
    }
}

/// Reads the records of a turn file one after the other, with the fields that fits need.
pub struct TurnFile<'a>(TurnRows<'a>);

impl<'a> TurnFile<'a> {
    /// Reads JSON lines, plain or compressed.
    ///
    /// # Errors
    /// As [`TurnRows::new`].
    pub fn new(source: impl Read + 'a) -> Result<TurnFile<'a>, RatingsError> {
        TurnRows::new(source).map(TurnFile)
    }

    /// Opens a file of any format.
    ///
    /// # Errors
    /// As [`TurnRows::open`].
    pub fn open(path: &Path) -> Result<TurnFile<'static>, RatingsError> {
        TurnRows::open(path).map(TurnFile)
    }

    /// The place of the turn that was read last.
    pub fn place(&self) -> TurnPlace {
        self.0.place()
    }
}

impl Iterator for TurnFile<'_> {
    type Item = Result<Record, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next()?;
        Some(row.and_then(|row| row.record().map_err(|error| error.at(self.place()))))
    }
}

/// The format that turns are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnFormat {
    /// Lines of JSON: `.jsonl`.
    Jsonl,
    /// Lines of JSON compressed by gzip: `.jsonl.gz`.
    JsonlGz,
    /// Lines of JSON compressed by zstd: `.jsonl.zst`.
    JsonlZst,
    /// Parquet: `.parquet`.
    Parquet,
}

impl TurnFormat {
    /// The format that the ending of a file's name stands for, if any. Standard output takes lines of JSON.
    pub fn of(path: &Path) -> Option<TurnFormat> {
        if is_stdout(path) {
            return Some(TurnFormat::Jsonl);
        }
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let endings = [
            (".jsonl", TurnFormat::Jsonl),
            (".jsonl.gz", TurnFormat::JsonlGz),
            (".jsonl.zst", TurnFormat::JsonlZst),
            (".parquet", TurnFormat::Parquet),
        ];
        endings.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
    }

    /// Checks that this build can write the format, so that long work is not begun for nothing.
    ///
    /// # Errors
    /// [`RatingsError::NoParquet`] if the format is Parquet and the build has no feature `parquet`.
    pub fn check_available(self) -> Result<(), RatingsError> {
        if self == TurnFormat::Parquet && cfg!(not(feature = "parquet")) {
            return Err(RatingsError::NoParquet);
        }
        Ok(())
    }
}

/// Writes turns in any format. The same turns give the same bytes.
pub struct TurnWriter<W: Write + Send>(Form<W>);

enum Form<W: Write + Send> {
    Jsonl(BufWriter<W>),
    JsonlGz(GzEncoder<BufWriter<W>>),
    JsonlZst(Box<ZstdEncoder<'static, BufWriter<W>>>),
    Parquet(Box<ParquetWriter<BufWriter<W>>>),
}

impl<W: Write + Send> TurnWriter<W> {
    /// Begins a turn file.
    ///
    /// # Errors
    /// If its beginning cannot be written.
    pub fn new(out: W, format: TurnFormat) -> Result<TurnWriter<W>, RatingsError> {
        let out = BufWriter::with_capacity(1 << 16, out);
        Ok(TurnWriter(match format {
            TurnFormat::Jsonl => Form::Jsonl(out),
            TurnFormat::JsonlGz => Form::JsonlGz(GzEncoder::new(out, Compression::default())),
            TurnFormat::JsonlZst => Form::JsonlZst(Box::new(zstd_encoder(out).map_err(RatingsError::Write)?)),
            TurnFormat::Parquet => Form::Parquet(Box::new(ParquetWriter::new(out)?)),
        }))
    }

    /// Writes a turn.
    ///
    /// # Errors
    /// If the format has no place for it, or it cannot be written.
    pub fn write(&mut self, row: TurnRow) -> Result<(), RatingsError> {
        match &mut self.0 {
            Form::Jsonl(out) => jsonl::write(&row, out).map_err(RatingsError::Write),
            Form::JsonlGz(out) => jsonl::write(&row, out).map_err(RatingsError::Write),
            Form::JsonlZst(out) => jsonl::write(&row, out).map_err(RatingsError::Write),
            Form::Parquet(out) => out.write(row),
        }
    }

    /// Ends the file, and returns the output that it was written to.
    ///
    /// # Errors
    /// If its end cannot be written.
    pub fn finish(self) -> Result<W, RatingsError> {
        let out = match self.0 {
            Form::Jsonl(out) => out,
            Form::JsonlGz(out) => out.finish().map_err(RatingsError::Write)?,
            Form::JsonlZst(out) => out.finish().map_err(RatingsError::Write)?,
            Form::Parquet(out) => out.finish()?,
        };
        out.into_inner().map_err(|error| RatingsError::Write(error.into_error()))
    }
}

fn zstd_encoder<W: Write>(out: W) -> io::Result<ZstdEncoder<'static, W>> {
    let mut encoder = ZstdEncoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, PlayerSide};

    const LINE: &str = r##"{"game":7,"white":"A","black":"B","white_elo":"2694","black_elo":2701,"ply":16,"fen":"8/8/8/8/8/8/8/K1k5 w - - 3 9","played":"a1a2","lines":[["a1b2",30],["a1a2",-5],["a1b1","#-2"]],"other_depths":{"8":[["a1b1",1],["a1a2",2],["a1b2",3]]},"engine":"E","depth":10}"##;

    fn only(text: &str) -> Result<Record, String> {
        let mut file = TurnFile::new(text.as_bytes()).map_err(|error| error.to_string())?;
        file.next().ok_or("none")?.map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_record() -> Result<(), String> {
        let record = only(&format!("\n{LINE}\n"))?;
        assert_eq!(
            (record.game.id.as_str(), record.game.white.elo, record.game.black.elo),
            ("7", Some(2694), Some(2701))
        );
        assert_eq!((record.side, record.played, record.move_number()), (PlayerSide::White, 1, 9));
        assert_eq!(record.moves[2], ("a1b1".to_owned(), Evaluation::Mate(-2)));
        let shallow: Vec<Evaluation> = [3, 2, 1].map(Evaluation::Centipawns).to_vec();
        assert_eq!(record.other_depths, [(8, shallow)]);
        assert_eq!(record.position, "8/8/8/8/8/8/8/K1k5 w - -");
        assert_eq!(record.engine.to_string(), "E at depth 10");
        Ok(())
    }

    #[test]
    fn packed_and_plain_files_read_alike() -> Result<(), RatingsError> {
        let row: TurnRow = serde_json::from_str(LINE).expect("a turn");
        for format in [TurnFormat::Jsonl, TurnFormat::JsonlGz, TurnFormat::JsonlZst] {
            let mut writer = TurnWriter::new(Vec::new(), format)?;
            writer.write(row.clone())?;
            writer.write(row.clone())?;
            // Two files one after the other are one file.
            let file = writer.finish()?;
            let twice = [&file[..], &file].concat();
            let mut rows = TurnRows::new(&twice[..])?;
            assert_eq!(rows.by_ref().filter_map(Result::ok).filter(|read| *read == row).count(), 4, "{format:?}");
            assert_eq!(rows.unchecked(), 0);
        }
        let mut rows = TurnRows::new(LINE.as_bytes())?;
        assert_eq!((rows.by_ref().filter(Result::is_ok).count(), rows.unchecked()), (1, 1));
        Ok(())
    }

    #[test]
    fn lines_that_were_edited_are_read_without_their_checksum() -> Result<(), RatingsError> {
        let row: TurnRow = serde_json::from_str(LINE).expect("a turn");
        let mut writer = TurnWriter::new(Vec::new(), TurnFormat::Jsonl)?;
        writer.write(row)?;
        let text = String::from_utf8(writer.finish()?).expect("text").replace("2694", "2695");
        assert!(
            only(&text).is_err_and(|error| error.contains("line 1: the line is damaged: its checksum does not match"))
        );
        let edited = format!("{}}}", text.split(",\"crc32\"").next().expect("a line"));
        assert_eq!(only(&edited).map(|record| record.game.white.elo), Ok(Some(2695)));
        Ok(())
    }

    #[test]
    fn blank_lines_are_passed_over_but_not_without_end() {
        assert!(only(&format!("{}{LINE}", " \n".repeat(1000))).is_ok());
        let error = only(&format!("{}{LINE}", "\n".repeat(2 << 20))).expect_err("too many");
        assert!(error.contains("blank bytes without a turn"), "{error}");
        let error = only("\n\n  {\n").expect_err("no turn");
        assert!(error.starts_with("line 3: "), "{error}");
    }

    #[test]
    fn other_files_are_named_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes, words) in [
            ("games", &b"[Event \"x\"]\n\n1. e4 *\n"[..], ["this is games in PGN", "errare evaluate"]),
            ("calibration", b"{\"kind\":\"errare calibration 2\"", ["this is a calibration", "--calibration"]),
            ("cache", b"SQLite format 3\0\x10\0", ["this is an SQLite database", "errare evaluate"]),
            ("archive", b"BZh91AY", ["this is an archive", "gzip or zstd"]),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            let error = TurnRows::open(&path).err().expect("refused").to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
        let error = TurnRows::open(folder.path()).err().expect("refused").to_string();
        assert!(error.contains("this is a folder without a turns.parquet"), "{error}");
        let writer = TurnWriter::new(Vec::new(), TurnFormat::Parquet).expect("a writer");
        std::fs::write(folder.path().join("turns.parquet"), writer.finish().expect("bytes")).expect("written");
        assert_eq!(TurnRows::open(folder.path()).expect("turns of a folder").count(), 0);
    }

    #[test]
    fn errors_name_the_row_of_a_parquet_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("turns.parquet");
        let mut writer = TurnWriter::new(File::create(&path).expect("a file"), TurnFormat::Parquet).expect("a writer");
        let row: TurnRow = serde_json::from_str(LINE).expect("a turn");
        let row = TurnRow { other_depths: Default::default(), ..row };
        for played in ["a1a2", "a1a2", "a1a2", "a1a3"] {
            writer.write(TurnRow { played: played.to_owned(), ..row.clone() }).expect("written");
        }
        writer.finish().expect("finished");
        let mut file = TurnFile::open(&path).expect("readable");
        assert_eq!(file.by_ref().take_while(Result::is_ok).count(), 3);
        assert_eq!(file.place(), TurnPlace::Row(4));
        let error = TurnFile::open(&path).expect("readable").find_map(Result::err).expect("an error").to_string();
        assert_eq!(error, "row 4: the played move a1a3 is not among the lines");
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, sentence) in [
            ("\"a1a2\",\"lines", "\"a1a3\",\"lines", "the played move a1a3 is not among the lines"),
            ("\"#-2\"", "\"mate\"", "invalid evaluation `mate`"),
            (" w ", " ", "it does not say who is to move"),
            (" w ", " b ", "Black is to move in the FEN, but at ply 16 it is White's turn"),
            ("\"ply\":16", "\"ply\":17", "White is to move in the FEN, but at ply 17 it is Black's turn"),
            ("[\"a1b2\",30],", "[\"a1b2\",30],[\"a1b2\",29],", "the move a1b2 comes twice among the lines"),
            ("[\"a1a2\",2],", "[\"a1a2\",2],[\"a1a2\",3],", "the move a1a2 comes twice among the lines of depth 8"),
            ("[\"a1b1\",1],", "", "at depth 8 not all moves have an evaluation"),
            ("\"ply\":16", "\"ply\":-1", "invalid value"),
            ("}}", "", "EOF"),
        ] {
            let text = format!("{LINE}\n{}", LINE.replace(from, to));
            let text = if from == "}}" { format!("{LINE}\n{}", &LINE[..50]) } else { text };
            let file = TurnFile::new(text.as_bytes()).expect("readable");
            let said = file.filter_map(Result::err).map(|error| error.to_string()).collect::<String>();
            assert!(said.starts_with("line 2: ") && said.contains(sentence), "{said}");
        }
    }
}
