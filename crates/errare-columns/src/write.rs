//! Writes rows as Parquet columns.

use crate::{Cell, Column, ColumnKind, ColumnsError, LINE, PRESENT, Row, SCORED, ScoredMove, checksum};
use crc32fast::Hasher;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::sync::Arc;

/// Number of rows that are written together. The bytes of a file depend on it.
const GROUP: usize = 8192;

/// Turns rows into the bytes of a Parquet file, group by group.
pub struct ColumnsWriter {
    columns: &'static [Column],
    file: SerializedFileWriter<Vec<u8>>,
    checksum: Hasher,
    rows: Vec<Row>,
}

impl ColumnsWriter {
    /// Begins a file. The columns named last are those whose texts hardly ever come twice.
    ///
    /// # Errors
    /// If the columns make no schema.
    pub fn new(columns: &'static [Column], unrepeated: &[&str]) -> Result<ColumnsWriter, ColumnsError> {
        let schema = Arc::new(parse_message_type(&schema(columns))?);
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("errare version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk);
        for &name in unrepeated {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
        }
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))?;
        Ok(ColumnsWriter { columns, file, checksum: Hasher::new(), rows: Vec::new() })
    }

    /// Takes a row, with a cell for each column. Returns the next bytes of the file, if there are any by now.
    ///
    /// # Errors
    /// If a cell is of another kind than its column, or one that is required is missing.
    pub fn write(&mut self, row: Row) -> Result<Vec<u8>, ColumnsError> {
        let is_fit = row.cells.len() == self.columns.len()
            && self.columns.iter().zip(&row.cells).all(|(column, cell)| match cell {
                None => !column.is_required,
                Some(Cell::Text(_)) => column.kind == ColumnKind::Text,
                Some(Cell::Number(_)) => column.kind == ColumnKind::Number,
            });
        if !is_fit {
            return Err(ColumnsError::Parquet("a row does not fit the columns".to_owned()));
        }
        self.rows.push(row);
        if self.rows.len() < GROUP {
            return Ok(Vec::new());
        }
        self.write_group()?;
        let bytes = std::mem::take(self.file.inner_mut());
        self.checksum.update(&bytes);
        Ok(bytes)
    }

    /// Returns the last bytes of the file.
    ///
    /// # Errors
    /// If the rows that are left cannot be packed.
    pub fn finish(mut self) -> Result<Vec<u8>, ColumnsError> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        self.file.append_key_value_metadata(checksum::entry());
        let mut end = self.file.into_inner()?;
        checksum::seal(self.checksum, &mut end)?;
        Ok(end)
    }

    fn write_group(&mut self) -> Result<(), ColumnsError> {
        let mut rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        for (place, column) in self.columns.iter().enumerate() {
            let cells: Vec<Option<Cell>> = rows.iter_mut().map(|row| row.cells[place].take()).collect();
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let levels = (!column.is_required).then_some(&levels[..]);
            let mut writer = next_column(&mut group, column.name)?;
            match column.kind {
                ColumnKind::Text => {
                    let texts = cells.into_iter().flatten().filter_map(Cell::text);
                    let texts: Vec<ByteArray> = texts.map(|text| text.into_bytes().into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)?;
                }
                ColumnKind::Number => {
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

/// The schema in Parquet's own words.
fn schema(columns: &[Column]) -> String {
    let mut text = String::from("message turn {\n");
    for column in columns {
        let presence = if column.is_required { "required" } else { "optional" };
        let kind = match column.kind {
            ColumnKind::Text => format!("binary {} (STRING)", column.name),
            ColumnKind::Number => format!("int64 {}", column.name),
        };
        text += &format!("  {presence} {kind};\n");
    }
    text += "  required group lines (LIST) {\n    repeated group list {\n      required group element {\n";
    text += "        required binary uci (STRING);\n        optional int32 centipawns;\n        optional int32 mate;\n";
    text + "      }\n    }\n  }\n}\n"
}

fn next_column<'a>(
    group: &'a mut SerializedRowGroupWriter<'_, Vec<u8>>,
    name: &str,
) -> Result<SerializedColumnWriter<'a>, ParquetError> {
    group.next_column()?.ok_or_else(|| ParquetError::General(format!("the schema has no column {name}")))
}

fn write_lines(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, rows: &[Row]) -> Result<(), ParquetError> {
    // Level 0 is a row without lines; repetition 0 begins a row.
    let (mut present, mut repeated) = (Vec::new(), Vec::new());
    let (mut moves, mut lines) = (Vec::new(), Vec::new());
    for row in rows {
        if row.lines.is_empty() {
            present.push(0);
            repeated.push(0);
            lines.push(None);
        }
        for (place, line) in row.lines.iter().enumerate() {
            present.push(PRESENT);
            repeated.push(i16::from(place > 0));
            moves.push(ByteArray::from(line.uci.as_str()));
            lines.push(Some(line));
        }
    }
    let mut writer = next_column(group, LINE[0])?;
    writer.typed::<ByteArrayType>().write_batch(&moves, Some(&present), Some(&repeated))?;
    writer.close()?;
    type Score = fn(&ScoredMove) -> Option<i32>;
    let scores: [(&str, Score); 2] = [(LINE[1], |line| line.centipawns), (LINE[2], |line| line.mate)];
    for (name, score) in scores {
        let values: Vec<i32> = lines.iter().flatten().filter_map(|line| score(line)).collect();
        let level = |line: &Option<&ScoredMove>| match line.map(score) {
            None => 0,
            Some(None) => PRESENT,
            Some(Some(_)) => SCORED,
        };
        let levels: Vec<i16> = lines.iter().map(level).collect();
        let mut writer = next_column(group, name)?;
        writer.typed::<Int32Type>().write_batch(&values, Some(&levels), Some(&repeated))?;
        writer.close()?;
    }
    Ok(())
}
