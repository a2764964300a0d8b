//! The contents of a page as data, for interfaces that lay it out themselves.

use super::plotted::PlottedChart;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a page, in the order of reading.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PageBlock {
    /// The beginning of a section.
    Heading {
        /// The words of the heading.
        text: String,
    },
    /// A paragraph.
    Paragraph {
        /// The words of the paragraph.
        text: String,
    },
    /// A note in small print.
    Note {
        /// The words of the note.
        text: String,
    },
    /// A table. Each row has as many cells as the header.
    Table {
        /// The names of the table's columns.
        header: Vec<String>,
        /// The rows of the table.
        rows: Vec<Vec<String>>,
    },
    /// A chart.
    Chart {
        /// The chart, with its caption.
        chart: PlottedChart,
    },
}
