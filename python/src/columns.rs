//! Columns of a table, as Arrow has them in memory.

use crate::arrow::Stream;
use crate::errors::wrong_request;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};
use std::ffi::{CStr, CString};
use std::sync::Arc;

/// A column: values, and which of them there are.
pub struct Column {
    pub name: CString,
    /// The type in Arrow's notation.
    pub format: &'static CStr,
    /// The buffers of the column: validity first, empty if nothing is missing; then offsets if values differ in length;
    /// then values.
    pub buffers: Vec<Buffer>,
    pub missing: i64,
}

/// Bytes at an address that is a multiple of 8, as Arrow wants them.
#[derive(Default)]
pub struct Buffer {
    words: Vec<u64>,
    length: usize,
}

impl Buffer {
    fn of_bytes(bytes: &[u8]) -> Buffer {
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        };
        Buffer { words: bytes.chunks(8).map(word).collect(), length: bytes.len() }
    }

    fn of_bits(bits: &[bool]) -> Buffer {
        let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place);
        Buffer::of_bytes(&bits.chunks(8).map(byte).collect::<Vec<u8>>())
    }

    /// The address of the bytes.
    pub fn address(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.truncate(self.length);
        bytes
    }
}

impl Column {
    /// Makes a column of small whole numbers, none of them missing.
    pub fn int8(name: &'static str, values: &[i8]) -> Column {
        let bytes: Vec<u8> = values.iter().map(|value| value.cast_unsigned()).collect();
        Column::fixed(c_name(name), c"c", &vec![true; values.len()], &bytes)
    }

    /// Makes a column of whole numbers, of which some are missing.
    pub fn int32_where(name: &'static str, values: &[i32], is_there: impl Fn(i32) -> bool) -> Column {
        let there: Vec<bool> = values.iter().map(|&value| is_there(value)).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        Column::fixed(c_name(name), c"i", &there, &bytes)
    }

    fn fixed(name: CString, format: &'static CStr, there: &[bool], bytes: &[u8]) -> Column {
        let (validity, missing) = validity(there);
        Column { name, format, buffers: vec![validity, Buffer::of_bytes(bytes)], missing }
    }

    /// Reads a column of Python objects; `kind` is their type: `int`, `float`, `bool` or `str`.
    fn read(py: Python<'_>, name: &str, kind: &str, values: &[Bound<'_, PyAny>]) -> PyResult<Column> {
        let name =
            CString::new(name).map_err(|_| wrong_request(py, "the name of a column has a zero byte".to_owned()))?;
        let there: Vec<bool> = values.iter().map(|value| !value.is_none()).collect();
        let numbers = |zero: [u8; 8], bytes: &dyn Fn(&Bound<'_, PyAny>) -> PyResult<[u8; 8]>| {
            let one = |value: &Bound<'_, PyAny>| if value.is_none() { Ok(zero) } else { bytes(value) };
            values.iter().map(one).collect::<PyResult<Vec<_>>>().map(|all| all.concat())
        };
        match kind {
            "int" => {
                let bytes = numbers([0; 8], &|value| Ok(value.extract::<i64>()?.to_ne_bytes()))?;
                Ok(Column::fixed(name, c"l", &there, &bytes))
            }
            "float" => {
                let bytes = numbers([0; 8], &|value| Ok(value.extract::<f64>()?.to_ne_bytes()))?;
                Ok(Column::fixed(name, c"g", &there, &bytes))
            }
            "bool" => {
                let one = |value: &Bound<'_, PyAny>| if value.is_none() { Ok(false) } else { value.extract() };
                let bits = values.iter().map(one).collect::<PyResult<Vec<bool>>>()?;
                let (validity, missing) = validity(&there);
                Ok(Column { name, format: c"b", buffers: vec![validity, Buffer::of_bits(&bits)], missing })
            }
            "str" => Column::texts(name, &there, values),
            _ => Err(wrong_request(py, format!("unknown kind of column `{kind}`"))),
        }
    }

    fn texts(name: CString, there: &[bool], values: &[Bound<'_, PyAny>]) -> PyResult<Column> {
        let mut text = String::new();
        let mut offsets = 0_i64.to_ne_bytes().to_vec();
        for value in values {
            if !value.is_none() {
                text.push_str(value.cast::<PyString>()?.to_str()?);
            }
            offsets.extend_from_slice(&(text.len() as i64).to_ne_bytes());
        }
        let (validity, missing) = validity(there);
        let buffers = vec![validity, Buffer::of_bytes(&offsets), Buffer::of_bytes(text.as_bytes())];
        // Texts with 64-bit offsets, so that no table is too long.
        Ok(Column { name, format: c"U", buffers, missing })
    }
}

fn c_name(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

/// Returns the bitmap of the values that are there, empty if none is missing, and the number of missing values.
fn validity(there: &[bool]) -> (Buffer, i64) {
    let missing = there.iter().filter(|there| !**there).count();
    let bits = if missing == 0 { Buffer::default() } else { Buffer::of_bits(there) };
    (bits, missing as i64)
}

/// Columns of equal length. It implements the Arrow PyCapsule interface, so that pyarrow, polars, pandas, DuckDB and
/// others read it as it is.
#[pyclass(frozen, module = "errare._native")]
pub struct Columns {
    table: Arc<ColumnTable>,
}

/// The table that exported streams share with the object they come from.
pub struct ColumnTable {
    pub rows: usize,
    pub columns: Vec<Column>,
}

impl Columns {
    pub fn new(rows: usize, columns: Vec<Column>) -> Columns {
        Columns { table: Arc::new(ColumnTable { rows, columns }) }
    }

    /// The values of positions: outcomes from -2 for a loss to 2 for a win, plies and moves, which draws have none of (-1).
    pub fn of_depths(outcomes: &[i8], plies: &[i32], moves: &[i32]) -> Columns {
        let is_there = |depth: i32| depth >= 0;
        let columns = vec![
            Column::int8("outcome", outcomes),
            Column::int32_where("plies", plies, is_there),
            Column::int32_where("moves", moves, is_there),
        ];
        Columns::new(outcomes.len(), columns)
    }
}

#[pymethods]
impl Columns {
    /// Makes a table of (name, kind, values); kinds are int, float, bool and str, and None is a missing value.
    #[new]
    #[pyo3(signature = (columns, /))]
    fn read(py: Python<'_>, columns: Vec<(String, String, Vec<Bound<'_, PyAny>>)>) -> PyResult<Columns> {
        let rows = columns.first().map_or(0, |(_, _, values)| values.len());
        if columns.iter().any(|(_, _, values)| values.len() != rows) {
            return Err(wrong_request(py, "columns differ in length".to_owned()));
        }
        let columns = columns.iter().map(|(name, kind, values)| Column::read(py, name, kind, values));
        Ok(Columns::new(rows, columns.collect::<PyResult<_>>()?))
    }

    /// Restores the values of positions from the bytes of their columns, as `data` gives them.
    #[staticmethod]
    #[pyo3(signature = (outcomes, plies, moves, /))]
    fn restore_depths(py: Python<'_>, outcomes: &[u8], plies: &[u8], moves: &[u8]) -> PyResult<Columns> {
        let depths = |bytes: &[u8]| -> Vec<i32> {
            bytes.chunks_exact(4).filter_map(|four| four.try_into().ok().map(i32::from_ne_bytes)).collect()
        };
        let outcomes: Vec<i8> = outcomes.iter().map(|byte| byte.cast_signed()).collect();
        let fits = |bytes: &[u8]| bytes.len() == 4 * outcomes.len();
        if !(fits(plies) && fits(moves) && outcomes.iter().all(|outcome| (-2..=2).contains(outcome))) {
            return Err(wrong_request(py, "these are not the columns of positions".to_owned()));
        }
        Ok(Columns::of_depths(&outcomes, &depths(plies), &depths(moves)))
    }

    fn __len__(&self) -> usize {
        self.table.rows
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.table.columns.iter().map(|column| column.name.to_string_lossy().into_owned()).collect()
    }

    /// The values of a column as bytes in the machine's order; what stands in the place of missing ones is arbitrary.
    #[pyo3(signature = (place, /))]
    fn data<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyBytes>> {
        let column = self.table.columns.get(place).and_then(|column| column.buffers.last());
        let buffer = column.ok_or_else(|| wrong_request(py, format!("there is no column {place}")))?;
        Ok(PyBytes::new(py, &buffer.bytes()))
    }

    /// The table as a stream of Arrow record batches (a PyCapsule named `arrow_array_stream`).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the interface a producer may ignore the schema that is asked for.
        let _ = requested_schema;
        PyCapsule::new_with_value(py, Stream::of(Arc::clone(&self.table)), c"arrow_array_stream")
    }
}
