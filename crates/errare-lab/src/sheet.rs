//! Responses as spreadsheets have them: rows under columns, and CSV.

use crate::csv_cell::protected;

/// Rows of cells under named columns; an empty cell is one that does not apply.
///
/// ```
/// use errare_lab::Sheet;
/// let mut sheet = Sheet::new(&["player", "elo"]);
/// sheet.push(["Browne, Walter".to_owned(), "2540".to_owned()]);
/// assert_eq!(sheet.to_csv(), "player,elo\n\"Browne, Walter\",2540\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Makes a sheet without rows.
    #[must_use]
    pub fn new(columns: &[&str]) -> Sheet {
        Sheet::with_columns(columns.iter().map(|name| (*name).to_owned()).collect())
    }

    /// Makes a sheet without rows whose columns depend on the data.
    #[must_use]
    pub fn with_columns(columns: Vec<String>) -> Sheet {
        Sheet { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    /// The names of the sheet's columns.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The cells of a column from the first row on, without its name.
    pub fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(column)).map(String::as_str)
    }

    /// The names of the columns, then the rows.
    pub fn records(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.columns).chain(&self.rows)
    }

    /// Formats the numbers of some columns in another way, such as with fewer digits for people. Other cells stay the
    /// same.
    #[must_use]
    pub fn formatted(mut self, is_meant: impl Fn(&str) -> bool, text: impl Fn(f64) -> String) -> Sheet {
        let meant: Vec<bool> = self.columns.iter().map(|name| is_meant(name)).collect();
        for row in &mut self.rows {
            for (cell, _) in row.iter_mut().zip(&meant).filter(|(_, meant)| **meant) {
                if let Ok(number) = cell.parse() {
                    *cell = text(number);
                }
            }
        }
        self
    }

    /// Leaves a column out.
    #[must_use]
    pub fn without(mut self, column: &str) -> Sheet {
        if let Some(place) = self.columns.iter().position(|name| name == column) {
            self.columns.remove(place);
            self.rows.iter_mut().filter(|row| place < row.len()).for_each(|row| drop(row.remove(place)));
        }
        self
    }

    /// Gives a column another name.
    #[must_use]
    pub fn renamed(mut self, column: &str, name: &str) -> Sheet {
        self.columns.iter_mut().filter(|known| *known == column).for_each(|known| name.clone_into(known));
        self
    }

    /// Writes the sheet as CSV (RFC 4180, with plain line breaks). Texts are protected so that no spreadsheet takes
    /// them for formulas.
    #[must_use]
    pub fn to_csv(&self) -> String {
        self.records().map(csv_record).collect()
    }
}

/// Writes one record of CSV, with its line break.
pub fn csv_record<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| quoted(&protected(cell.as_ref()))).collect();
    // A record of a single empty cell must not be an empty line.
    if cells.len() == 1 && cells[0].is_empty() { "\"\"\n".to_owned() } else { cells.join(",") + "\n" }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// A thing that has rows in a sheet, such as a table that was built.
pub trait SheetRows {
    /// The names of the sheet's columns.
    const COLUMNS: &'static [&'static str];

    /// Makes the rows, with a cell for each column.
    fn rows(&self) -> Vec<Vec<String>>;
}

/// A response that can be shown as one sheet.
pub trait ToSheet {
    /// Makes the sheet, with numbers in full and one quantity a cell.
    fn to_sheet(&self) -> Sheet;
}

impl<T: SheetRows> ToSheet for Vec<T> {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(T::COLUMNS);
        self.iter().flat_map(SheetRows::rows).for_each(|row| sheet.push(row));
        sheet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(csv_record(["a", "", "b c", "1.5"]), "a,,b c,1.5\n");
        assert_eq!(csv_record(["a,b", "say \"x\"", "two\nlines"]), "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n");
        assert_eq!(csv_record(["=1+1", "-3.25", "=\"x\""]), "'=1+1,-3.25,\"'=\"\"x\"\"\"\n");
        assert_eq!(csv_record([""]), "\"\"\n");
    }

    #[test]
    fn sheets_are_shortened_for_people() {
        let mut sheet = Sheet::new(&["uci", "move", "share"]);
        sheet.push(["a1a2", "Ra2", "0.123456"].map(str::to_owned));
        sheet.push(["a1a3", "Ra3", ""].map(str::to_owned));
        let short =
            sheet.formatted(|name| name == "share", |share| format!("{share:.2}")).without("uci").without("none");
        assert_eq!(short.renamed("share", "part").to_csv(), "move,part\nRa2,0.12\nRa3,\n");
    }
}
