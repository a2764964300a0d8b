//! Writes rows as Parquet columns.

use super::checksum::{self, ChecksumWriter};
use super::{Cell, FLAT, Kind, LINE, PRESENT, SCORED, schema};
use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::row::{GameName, TurnRow};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io::Write;
use std::sync::Arc;

/// Number of rows that are written together. The bytes of a file depend on it.
const GROUP: usize = 8192;

/// Writes rows to a Parquet file, group by group.
pub(crate) struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<ChecksumWriter<W>>,
    rows: Vec<TurnRow>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub fn new(out: W) -> Result<ParquetWriter<W>, RatingsError> {
        let schema = Arc::new(parse_message_type(&schema())?);
        let properties = WriterProperties::builder()
            .set_created_by(concat!("errare version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            // Hardly any position comes twice.
            .set_column_dictionary_enabled(ColumnPath::from("fen"), false)
            .build();
        let file = SerializedFileWriter::new(ChecksumWriter::new(out), schema, Arc::new(properties))?;
        Ok(ParquetWriter { file, rows: Vec::new() })
    }

    pub fn write(&mut self, row: TurnRow) -> Result<(), RatingsError> {
        if let Some(GameName::Text(name)) = &row.game {
            let what = format!("the game `{name}` has no number: Parquet files need one, .jsonl does not");
            return Err(RatingsError::Unsupported(what));
        }
        if !row.other_depths.is_empty() {
            let what = "Parquet files have no place for evaluations at other depths: use .jsonl";
            return Err(RatingsError::Unsupported(what.to_owned()));
        }
        self.rows.push(row);
        if self.rows.len() == GROUP { self.flush() } else { Ok(()) }
    }

    pub fn finish(mut self) -> Result<W, RatingsError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.file.append_key_value_metadata(checksum::entry());
        self.file.inner_mut().begin_end();
        self.file.into_inner()?.finish().map_err(RatingsError::Write)
    }

    fn flush(&mut self) -> Result<(), RatingsError> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        for column in &FLAT {
            let cells: Vec<Option<Cell>> = rows.iter().map(column.get).collect();
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let levels = (!column.is_required).then_some(&levels[..]);
            let mut writer = next_column(&mut group, column.name)?;
            match column.kind {
                Kind::Text => {
                    let texts = cells.into_iter().flatten().filter_map(Cell::text);
                    let texts: Vec<ByteArray> = texts.map(|text| text.into_bytes().into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)?;
                }
                Kind::Number => {
                    let numbers: Vec<i64> = cells.into_iter().flatten().filter_map(Cell::number).collect();
                    writer.typed::<Int64Type>().write_batch(&numbers, levels, None)?;
                }
            }
            writer.close()?;
        }
        write_lines(&mut group, &rows)?;
        group.close()?;
        Ok(())
    }
}

fn next_column<'a, W: Write + Send>(
    group: &'a mut SerializedRowGroupWriter<'_, W>,
    name: &str,
) -> Result<SerializedColumnWriter<'a>, ParquetError> {
    group.next_column()?.ok_or_else(|| ParquetError::General(format!("the schema has no column {name}")))
}

fn write_lines<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[TurnRow],
) -> Result<(), ParquetError> {
    // Level 0 is a row without lines; repetition 0 begins a row.
    let (mut present, mut repeated) = (Vec::new(), Vec::new());
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    for row in rows {
        if row.lines.is_empty() {
            present.push(0);
            repeated.push(0);
            scores.push(None);
        }
        for (place, (name, evaluation)) in row.lines.iter().enumerate() {
            present.push(PRESENT);
            repeated.push(i16::from(place > 0));
            moves.push(ByteArray::from(name.as_str()));
            scores.push(Some(*evaluation));
        }
    }
    let mut writer = next_column(group, LINE[0])?;
    writer.typed::<ByteArrayType>().write_batch(&moves, Some(&present), Some(&repeated))?;
    writer.close()?;
    let centipawns = |evaluation| match evaluation {
        Evaluation::Centipawns(value) => Some(value),
        Evaluation::Mate(_) => None,
    };
    let mate = |evaluation| match evaluation {
        Evaluation::Mate(moves) => Some(moves),
        Evaluation::Centipawns(_) => None,
    };
    type Value = fn(Evaluation) -> Option<i32>;
    let kinds: [(&str, Value); 2] = [(LINE[1], centipawns), (LINE[2], mate)];
    for (name, value) in kinds {
        let values: Vec<i32> = scores.iter().flatten().filter_map(|&score| value(score)).collect();
        let level = |score: &Option<Evaluation>| match score.map(value) {
            None => 0,
            Some(None) => PRESENT,
            Some(Some(_)) => SCORED,
        };
        let levels: Vec<i16> = scores.iter().map(level).collect();
        let mut writer = next_column(group, name)?;
        writer.typed::<Int32Type>().write_batch(&values, Some(&levels), Some(&repeated))?;
        writer.close()?;
    }
    Ok(())
}
