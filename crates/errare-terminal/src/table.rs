//! Tables for people: aligned columns that fit the terminal.

use crate::safe_text::safe_line;
use errare_lab::Sheet;
use unicode_width::UnicodeWidthStr;

/// Spaces between two columns.
const GAP: usize = 2;

/// The least width, in columns, that a column of words is folded to.
const NARROWEST: usize = 24;

/// Aligns a sheet for people: numbers to the right, words to the left, a dash where a cell is empty. If there is less room
/// than that takes, in columns of the terminal, the widest column of words is folded; if that is not enough, columns
/// are left out, empty ones and then those furthest to the right, and named below.
#[must_use]
pub fn table_text(sheet: &Sheet, room: Option<usize>) -> String {
    let columns = sheet.columns();
    let shown: Vec<Vec<String>> = sheet.records().map(|row| row.iter().map(|cell| displayed(cell)).collect()).collect();
    let is_right: Vec<bool> = (0..columns.len()).map(|column| is_numeric(sheet, column)).collect();
    let wanted: Vec<usize> = (0..columns.len())
        .map(|column| shown.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(1))
        .collect();
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    let room = room.unwrap_or(usize::MAX);
    let mut widths = wanted.clone();
    if total(&kept, &widths) > room {
        kept.retain(|&column| !is_empty(sheet, column));
    }
    loop {
        widths.clone_from(&wanted);
        fold(&kept, &is_right, &mut widths, room);
        if total(&kept, &widths) <= room || kept.len() <= 2 {
            break;
        }
        kept.pop();
    }
    let mut text = String::new();
    for row in &shown {
        text += &lines(row, &kept, &widths, &is_right);
    }
    let left_out: Vec<&str> = (0..columns.len())
        .filter(|column| !kept.contains(column) && !is_empty(sheet, *column))
        .map(|column| columns[column].as_str())
        .collect();
    text + &note(&left_out)
}

fn is_empty(sheet: &Sheet, column: usize) -> bool {
    sheet.cells(column).all(str::is_empty)
}

fn is_numeric(sheet: &Sheet, column: usize) -> bool {
    sheet.cells(column).all(|cell| cell.is_empty() || is_number(cell)) && !is_empty(sheet, column)
}

/// Columns of a table whose rows are shown as they come, so that widths cannot wait for the widest cell.
#[derive(Debug)]
pub struct FixedColumns {
    columns: Vec<FixedColumn>,
    left_out: Vec<&'static str>,
}

/// A column of a table whose rows are shown as they come.
#[derive(Clone, Copy, Debug)]
pub struct FixedColumn {
    /// The name, which stands above the column.
    pub name: &'static str,
    /// The width on the screen.
    pub width: usize,
    /// Whether cells stand to the right.
    pub is_right: bool,
    /// How soon the column may be left out, the greatest number first; 0 for never.
    pub dispensable: u8,
}

impl FixedColumns {
    /// Chooses the columns that there is room for; of the others the most dispensable are left out first.
    #[must_use]
    pub fn new(columns: &[FixedColumn], room: Option<usize>) -> FixedColumns {
        let room = room.unwrap_or(usize::MAX);
        let mut level = columns.iter().map(|column| column.dispensable).max().unwrap_or(0) + 1;
        let is_kept = |column: &FixedColumn, level: u8| column.dispensable == 0 || column.dispensable < level;
        let needed = |level: u8| {
            columns.iter().filter(|column| is_kept(column, level)).map(|column| column.width + 1).sum::<usize>()
        };
        while level > 1 && needed(level).saturating_sub(1) > room {
            level -= 1;
        }
        let left_out = columns.iter().filter(|column| !is_kept(column, level)).map(|column| column.name).collect();
        let columns = columns
            .iter()
            .map(|&column| FixedColumn { width: if is_kept(&column, level) { column.width } else { 0 }, ..column })
            .collect();
        FixedColumns { columns, left_out }
    }

    /// The names of the columns, each above its cells.
    #[must_use]
    pub fn heading(&self) -> String {
        self.line(&self.columns.iter().map(|column| column.name.to_owned()).collect::<Vec<_>>())
    }

    /// Formats a row, given a cell for every column, those left out included.
    #[must_use]
    pub fn line(&self, cells: &[String]) -> String {
        let kept = self.columns.iter().zip(cells).filter(|(column, _)| column.width > 0);
        let cells: Vec<String> =
            kept.map(|(column, cell)| aligned(&displayed(cell), column.width, column.is_right)).collect();
        cells.join(" ").trim_end().to_owned()
    }

    /// Formats a note below the table, with a line break, that names the columns left out; empty if there are none.
    #[must_use]
    pub fn note(&self) -> String {
        note(&self.left_out)
    }
}

/// Formats a note that names the columns left out; empty if there are none.
fn note(left_out: &[&str]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    format!("(no room for {}: see --format csv, or a wider terminal)\n", left_out.join(", "))
}

fn displayed(cell: &str) -> String {
    if cell.is_empty() { "-".to_owned() } else { safe_line(cell).into_owned() }
}

/// Whether a cell is a number, with its sign, mark and unit if it has any; `1. Kb7` is a move.
fn is_number(cell: &str) -> bool {
    let mut words = cell.split(' ');
    let first = words.next().unwrap_or_default();
    let digit = |c: char| c.is_ascii_digit();
    let unsigned = first.strip_prefix(['+', '-']).unwrap_or(first);
    unsigned.starts_with(digit) && first.ends_with(|c| digit(c) || matches!(c, '%' | '*')) && words.count() < 2
}

fn total(kept: &[usize], widths: &[usize]) -> usize {
    kept.iter().map(|&column| widths[column]).sum::<usize>() + GAP * kept.len().saturating_sub(1)
}

/// Makes the widest column of words as narrow as the room requires, but not narrower than [`NARROWEST`].
fn fold(kept: &[usize], is_right: &[bool], widths: &mut [usize], room: usize) {
    let excess = total(kept, widths).saturating_sub(room);
    let words = kept.iter().copied().filter(|&column| !is_right[column]);
    if let Some(widest) = words.max_by_key(|&column| widths[column]).filter(|&column| widths[column] > NARROWEST) {
        widths[widest] = widths[widest].saturating_sub(excess).max(NARROWEST);
    }
}

/// Formats a row of the table: one line, or several if a cell is folded.
fn lines(row: &[String], kept: &[usize], widths: &[usize], is_right: &[bool]) -> String {
    let cells: Vec<(usize, Vec<String>)> =
        kept.iter().filter_map(|&column| Some((column, wrapped(row.get(column)?, widths[column])))).collect();
    let height = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or(1);
    let mut text = String::new();
    for line in 0..height {
        let mut shown = String::new();
        for (column, cell) in &cells {
            let part = cell.get(line).map_or("", String::as_str);
            shown += &aligned(part, widths[*column], is_right[*column]);
            shown += &" ".repeat(GAP);
        }
        text += shown.trim_end();
        text.push('\n');
    }
    text
}

/// Fills a cell up to a width on the screen, where some characters take two columns and some none.
fn aligned(cell: &str, width: usize, is_right: bool) -> String {
    let fill = " ".repeat(width.saturating_sub(cell.width()));
    if is_right { fill + cell } else { format!("{cell}{fill}") }
}

/// Breaks a text at words into lines of at most `width` columns; a longer word has a line to itself.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].width() + 1 + word.width() > width {
            lines.push(word.to_owned());
        } else {
            lines[last].push(' ');
            lines[last] += word;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(columns: &[&str], rows: &[&[&str]]) -> Sheet {
        let mut sheet = Sheet::new(columns);
        rows.iter().for_each(|row| sheet.push(row.iter().map(|cell| (*cell).to_owned())));
        sheet
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let sheet = sheet(&["name", "n"], &[&["a", "100"], &["long", ""]]);
        assert_eq!(table_text(&sheet, None), "name    n\na     100\nlong    -\n");
    }

    #[test]
    fn columns_are_measured_as_a_terminal_shows_them() {
        // Two columns a character, and an accent that takes none.
        let sheet = sheet(&["player", "n"], &[&["諸宸", "1"], &["Jose\u{301}", "22"], &["plain", "3"]]);
        assert_eq!(table_text(&sheet, None), "player   n\n諸宸     1\nJose\u{301}    22\nplain    3\n");
    }

    #[test]
    fn cells_cannot_command_the_terminal() {
        assert_eq!(table_text(&sheet(&["player"], &[&["\u{1b}[2Jx\ny"]]), None), "player\n\\u{1b}[2Jx\\ny\n");
    }

    #[test]
    fn words_are_folded_before_columns_are_left_out() {
        let words = "Qg1 Kb5 Qb1+ Ka4 Kc5 Nd7+ Kd5 Nb3";
        let sheet = sheet(&["n", "line", "empty", "end"], &[&["1", words, "", "12345"]]);
        let folded = ["n  line                          end", "1  Qg1 Kb5 Qb1+ Ka4 Kc5 Nd7+   12345", "   Kd5 Nb3"];
        assert_eq!(table_text(&sheet, Some(36)).lines().collect::<Vec<_>>(), folded);
        let narrow = table_text(&sheet, Some(30));
        assert!(narrow.lines().all(|line| line.width() <= 30 || line.starts_with('(')), "{narrow}");
        assert!(narrow.ends_with("(no room for end: see --format csv, or a wider terminal)\n"), "{narrow}");
        assert!(table_text(&sheet, None).lines().count() == 2 && table_text(&sheet, Some(60)).lines().count() == 2);
    }

    #[test]
    fn fixed_columns_leave_out_the_least_important() {
        let column = |name, width, dispensable| FixedColumn { name, width, is_right: false, dispensable };
        let all = [column("endgame", 8, 0), column("CPU s", 8, 2), column("size", 8, 1), column("wins", 8, 0)];
        let cells = ["KQKR", "1.5", "2 MiB", "61 plies"].map(str::to_owned);
        assert_eq!(FixedColumns::new(&all, None).line(&cells), "KQKR     1.5      2 MiB    61 plies");
        let some = FixedColumns::new(&all, Some(30));
        assert_eq!(some.line(&cells), "KQKR     2 MiB    61 plies");
        assert_eq!(some.heading(), "endgame  size     wins");
        assert_eq!(some.note(), "(no room for CPU s: see --format csv, or a wider terminal)\n");
        assert_eq!(FixedColumns::new(&all, Some(5)).heading(), "endgame  wins");
    }
}
