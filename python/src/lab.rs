//! The lab as Python has it.

use crate::board_fen;
use crate::columns::Columns;
use crate::errors::wrong_request;
use crate::json::from_python;
use crate::watch::run;
use errare_lab::{Depth, EngineSpec, LabConfig, OPERATIONS, OperationInfo, Outcome};
use errare_tables::{Metric, SourceSpec};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::path::PathBuf;

/// A handle on tables, caches and threads, which runs operations.
#[pyclass(frozen, module = "errare._native")]
pub struct Lab {
    lab: errare_lab::Lab,
}

#[pymethods]
impl Lab {
    #[new]
    #[pyo3(signature = (tables=None, threads=None, memory=None, engine=None, evaluations=None, calibration=None))]
    fn new(
        py: Python<'_>,
        tables: Option<PathBuf>,
        threads: Option<usize>,
        memory: Option<u64>,
        engine: Option<&str>,
        evaluations: Option<PathBuf>,
        calibration: Option<PathBuf>,
    ) -> PyResult<Lab> {
        let engine: Option<EngineSpec> =
            engine.map(str::parse).transpose().map_err(|error| wrong_request(py, format!("{error}")))?;
        let config = LabConfig { tables, threads, memory, engine, evaluations, calibration };
        Ok(Lab { lab: errare_lab::Lab::new(config) })
    }

    /// Runs the operation of a name, with a dictionary in and JSON out.
    #[pyo3(signature = (operation, request, progress=None, /))]
    fn call(
        &self,
        py: Python<'_>,
        operation: &str,
        request: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let request = from_python(request)?;
        run(py, progress, |progress| self.lab.call_text(operation, request, progress))
    }

    /// Looks up many positions, given as FENs or boards of python-chess, and returns the name of the metric, whether
    /// depths are rounded, and the columns outcome (from -2 for a loss to 2 for a win), plies and moves (-1 for a draw).
    #[pyo3(signature = (positions, metric=None, source=None, progress=None, /))]
    fn probe_many(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        metric: Option<&str>,
        source: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, bool, Columns)> {
        let wrong = |error: String| wrong_request(py, error);
        let metric: Option<Metric> = metric.map(str::parse).transpose().map_err(|error| wrong(format!("{error}")))?;
        let source: Option<SourceSpec> =
            source.map(str::parse).transpose().map_err(|error| wrong(format!("{error}")))?;
        let texts = Texts::read(positions)?;
        run(py, progress, |progress| {
            let found = self.lab.probe_many(&texts.fens(), metric, source.as_ref(), progress)?;
            Ok((found.metric.to_string(), found.is_rounded(), columns(found.readings.len(), found.depths())))
        })
    }
}

/// FENs joined in one text, so that they can be read without the interpreter's lock.
struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    fn read(positions: &Bound<'_, PyAny>) -> PyResult<Texts> {
        let py = positions.py();
        if positions.is_instance_of::<PyString>() {
            return Err(wrong_request(py, "one FEN was given where a list of positions is expected".to_owned()));
        }
        let count = positions.len().unwrap_or(0);
        let mut texts = Texts { text: String::with_capacity(32 * count), ends: Vec::with_capacity(count) };
        for (place, position) in positions.try_iter()?.enumerate() {
            let position = position?;
            if let Ok(fen) = position.cast::<PyString>() {
                texts.text.push_str(fen.to_str().map_err(|_| not_a_position(&position, place))?);
            } else if let Ok(fen) = position.cast::<PyBytes>() {
                let fen = std::str::from_utf8(fen.as_bytes()).map_err(|_| not_a_position(&position, place))?;
                texts.text.push_str(fen);
            } else if board_fen::append(&position, &mut texts.text)?.is_none() {
                return Err(not_a_position(&position, place));
            }
            texts.ends.push(texts.text.len());
        }
        Ok(texts)
    }

    fn fens(&self) -> Vec<&str> {
        let mut start = 0;
        self.ends.iter().map(|&end| &self.text[std::mem::replace(&mut start, end)..end]).collect()
    }
}

fn not_a_position(object: &Bound<'_, PyAny>, place: usize) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    let reason = format!("position {place}: expected a FEN or a chess.Board, found an object of type `{name}`");
    wrong_request(object.py(), reason)
}

fn columns(count: usize, depths: impl Iterator<Item = Depth>) -> Columns {
    let mut outcomes: Vec<i8> = Vec::with_capacity(count);
    let (mut plies, mut moves): (Vec<i32>, Vec<i32>) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for depth in depths {
        outcomes.push(match depth.outcome {
            Outcome::Win => 2,
            Outcome::CursedWin => 1,
            Outcome::Draw => 0,
            Outcome::BlessedLoss => -1,
            Outcome::Loss => -2,
        });
        plies.push(depth.plies.map_or(-1, i32::from));
        moves.push(depth.moves.map_or(-1, i32::from));
    }
    Columns::of_depths(&outcomes, &plies, &moves)
}

/// Lists all operations: the name, a description, and the JSON schemas of request and response as texts.
#[pyfunction]
pub fn operations() -> Vec<(&'static str, &'static str, String, String)> {
    let text = |info: &OperationInfo| {
        let [request, response] = [(info.request_schema)(), (info.response_schema)()].map(|schema| schema.to_value());
        (info.name, info.about, request.to_string(), response.to_string())
    };
    OPERATIONS.iter().map(text).collect()
}
