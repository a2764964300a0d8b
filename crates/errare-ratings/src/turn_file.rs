//! Turn files: JSON lines, plain or packed, or Parquet; told apart by their first bytes when read, by their names when
//! written.

use crate::columns::{ParquetRows, ParquetWriter};
use crate::error::RatingsError;
use crate::jsonl::{self, TextRows};
use crate::record::Record;
use crate::row::TurnRow;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Reads turns one after the other, with all that the file tells.
pub struct TurnRows<'a>(Kind<'a>);

enum Kind<'a> {
    Text(TextRows<'a>),
    Parquet(Box<ParquetRows>),
}

/// How every Parquet file begins and ends.
const PARQUET: &[u8] = b"PAR1";

impl<'a> TurnRows<'a> {
    /// From JSON lines, plain or packed.
    pub fn new(source: impl Read + 'a) -> io::Result<TurnRows<'a>> {
        Ok(TurnRows(Kind::Text(TextRows::new(source)?)))
    }

    /// From a file of any kind.
    pub fn open(path: &Path) -> Result<TurnRows<'static>, RatingsError> {
        let mut file = File::open(path).map_err(RatingsError::Open)?;
        let mut first = Vec::new();
        Read::by_ref(&mut file).take(PARQUET.len() as u64).read_to_end(&mut first).map_err(RatingsError::Open)?;
        // What cannot be gone back in, such as a pipe, is text.
        let kind = if first == PARQUET {
            Kind::Parquet(Box::new(ParquetRows::new(file)?))
        } else if file.rewind().is_ok() {
            Kind::Text(TextRows::new(file).map_err(RatingsError::Open)?)
        } else {
            Kind::Text(TextRows::new(io::Cursor::new(first).chain(file)).map_err(RatingsError::Open)?)
        };
        Ok(TurnRows(kind))
    }

    /// The line or row that was read last, from 1.
    pub fn line(&self) -> u64 {
        match &self.0 {
            Kind::Text(rows) => rows.line(),
            Kind::Parquet(rows) => rows.row(),
        }
    }

    /// An error of what was read last, with its place.
    pub(crate) fn placed(&self, error: RatingsError) -> RatingsError {
        match (error, &self.0) {
            (RatingsError::Record(what), Kind::Text(rows)) => RatingsError::Line { line: rows.line(), what },
            (RatingsError::Record(what), Kind::Parquet(rows)) => RatingsError::Row { row: rows.row(), what },
            (error, _) => error,
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

/// Reads records one after the other: what the fits need of each turn.
pub struct TurnFile<'a>(TurnRows<'a>);

impl<'a> TurnFile<'a> {
    /// From JSON lines, plain or packed.
    pub fn new(source: impl Read + 'a) -> io::Result<TurnFile<'a>> {
        TurnRows::new(source).map(TurnFile)
    }

    /// From a file of any kind.
    pub fn open(path: &Path) -> Result<TurnFile<'static>, RatingsError> {
        TurnRows::open(path).map(TurnFile)
    }

    /// The line or row that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.0.line()
    }
}

impl Iterator for TurnFile<'_> {
    type Item = Result<Record, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next()?;
        Some(row.and_then(TurnRow::record).map_err(|error| self.0.placed(error)))
    }
}

/// In what form turns are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnFormat {
    /// Lines of JSON.
    Jsonl,
    /// The same, packed.
    JsonlGz,
    /// Columns.
    Parquet,
}

impl TurnFormat {
    /// The form that a file's name asks for; none if it asks for none of them.
    pub fn of(path: &Path) -> Option<TurnFormat> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let endings =
            [(".jsonl", TurnFormat::Jsonl), (".jsonl.gz", TurnFormat::JsonlGz), (".parquet", TurnFormat::Parquet)];
        endings.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
    }
}

/// Writes turns. The same turns give the same bytes.
pub struct TurnWriter<W: Write + Send>(Form<W>);

enum Form<W: Write + Send> {
    Jsonl(BufWriter<W>),
    JsonlGz(GzEncoder<BufWriter<W>>),
    Parquet(Box<ParquetWriter<BufWriter<W>>>),
}

impl<W: Write + Send> TurnWriter<W> {
    /// Begins a file.
    pub fn new(out: W, format: TurnFormat) -> Result<TurnWriter<W>, RatingsError> {
        let out = BufWriter::with_capacity(1 << 16, out);
        Ok(TurnWriter(match format {
            TurnFormat::Jsonl => Form::Jsonl(out),
            TurnFormat::JsonlGz => Form::JsonlGz(GzEncoder::new(out, Compression::default())),
            TurnFormat::Parquet => Form::Parquet(Box::new(ParquetWriter::new(out)?)),
        }))
    }

    /// Writes a turn.
    pub fn write(&mut self, row: TurnRow) -> Result<(), RatingsError> {
        match &mut self.0 {
            Form::Jsonl(out) => jsonl::write(&row, out).map_err(RatingsError::Write),
            Form::JsonlGz(out) => jsonl::write(&row, out).map_err(RatingsError::Write),
            Form::Parquet(out) => out.write(row),
        }
    }

    /// Ends the file, and gives back what it was written to.
    pub fn finish(self) -> Result<W, RatingsError> {
        let out = match self.0 {
            Form::Jsonl(out) => out,
            Form::JsonlGz(out) => out.finish().map_err(RatingsError::Write)?,
            Form::Parquet(out) => out.finish()?,
        };
        out.into_inner().map_err(|error| RatingsError::Write(error.into_error()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, PlayerSide};
    use std::io::Write;

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
    fn packed_and_plain_files_read_alike() -> io::Result<()> {
        let text = format!("{LINE}\n{LINE}\n");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes())?;
        // Two members one after the other are one file, as in the format's definition.
        let mut twice = packed.finish()?;
        twice.extend(twice.clone());
        assert_eq!(TurnFile::new(&twice[..])?.filter(Result::is_ok).count(), 4);
        assert_eq!(TurnFile::new(text.as_bytes())?.filter(Result::is_ok).count(), 2);
        Ok(())
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, sentence) in [
            ("\"a1a2\",\"lines", "\"a1a3\",\"lines", "the played move a1a3 is not among the lines"),
            ("\"#-2\"", "\"mate\"", "`mate` is no evaluation"),
            (" w ", " ", "does not tell who is to move"),
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
