//! Errors of the lab as exceptions of the package.

use errare_lab::{ErrorKind, LabError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The exception that an error of the lab is in Python; its classes are those of `errare.exceptions`.
pub fn exception(py: Python<'_>, error: &LabError) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Request => "RequestError",
        ErrorKind::Unknown => "UnknownError",
        ErrorKind::Forbidden => "ForbiddenError",
        ErrorKind::Impossible => "ImpossibleError",
        ErrorKind::Stopped => "StoppedError",
        _ => "FailedError",
    };
    raised(py, class, error.to_string())
}

/// The exception of a request that cannot be read.
pub fn wrong_request(py: Python<'_>, reason: String) -> PyErr {
    raised(py, "RequestError", reason)
}

/// The exception for a state that our own code rules out.
pub fn internal(py: Python<'_>, reason: &str) -> PyErr {
    raised(py, "FailedError", format!("internal error (a bug in errare): {reason}"))
}

fn raised(py: Python<'_>, class: &str, text: String) -> PyErr {
    let made = classes(py).and_then(|module| module.getattr(class)?.call1((text.as_str(),)));
    // Without the package around it the module still says what is wrong.
    made.map_or_else(|_| PyRuntimeError::new_err(text.clone()), PyErr::from_value)
}

/// The module of the exceptions, imported once.
pub fn classes(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("errare.exceptions").map(Bound::unbind))?;
    Ok(module.bind(py))
}
