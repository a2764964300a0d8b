//! The native part of the Python package `errare`: a door of errare-lab.
//!
//! Python calls operations by name, with requests as dictionaries and responses as JSON; the package turns them into typed
//! objects. Here is what Python cannot do by itself: the lab, work without the interpreter's lock that Ctrl-C stops, many
//! positions at once, tables through the Arrow PyCapsule interface, and pictures.
//!
//! | module | contents |
//! | --- | --- |
//! | `lab` | the class `Lab`: operations by name, many positions |
//! | `watch` | work on another thread while this one waits for it: progress, warnings, Ctrl-C |
//! | `json` | Python objects as JSON values |
//! | `errors` | errors of the lab as exceptions |
//! | `board_fen` | FENs from the bitboards of python-chess |
//! | `columns`, `arrow` | columns of a table, and their export by Arrow's C stream interface |
//! | `pictures` | boards and charts as SVG |

mod arrow;
mod board_fen;
mod columns;
mod errors;
mod json;
mod lab;
mod pictures;
mod watch;

/// The module `errare._native`.
#[pyo3::pymodule(name = "_native", gil_used = false)]
mod native {
    #[pymodule_export]
    use crate::columns::Columns;
    #[pymodule_export]
    use crate::lab::{Lab, operations};
    #[pymodule_export]
    use crate::pictures::{board_svg, heat_map_svg, line_chart_svg};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
