//! One page of HTML that needs nothing else.

use crate::whole_file;
use anyhow::Result;
use std::fmt::Write as _;
use std::path::Path;

/// Readable in a browser and on paper, in the light and in the dark; pictures have their own white ground.
const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ccc;white-space:nowrap}\
th:first-child,td:first-child,td.words,th.words{text-align:left}thead th{border-bottom:2px solid #888}\
figure{margin:1.5rem 0}svg{max-width:100%;height:auto}figcaption,.note{color:#555;font-size:.9rem}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}th,td{border-color:#444}\
figcaption,.note{color:#aaa}}";

/// A page in the making.
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    pub fn new(title: &str) -> Page {
        let mut page = Page { title: title.to_owned(), body: String::new() };
        page.element("h1", title);
        page
    }

    pub fn heading(&mut self, text: &str) {
        self.element("h2", text);
    }

    pub fn paragraph(&mut self, text: &str) {
        self.element("p", text);
    }

    /// Small print.
    pub fn note(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "<p class=\"note\">{}</p>", escaped(text));
    }

    /// A picture as SVG, with a line below it.
    pub fn picture(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(self.body, "<figure>{svg}<figcaption>{}</figcaption></figure>", escaped(caption));
    }

    /// Rows of as many cells as the header has.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| -> String {
            cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
        };
        let head = cells("th", &mut header.iter().copied());
        let _ = writeln!(self.body, "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>");
        for row in rows {
            let _ = writeln!(self.body, "<tr>{}</tr>", cells("td", &mut row.iter().map(String::as_str)));
        }
        self.body += "</tbody></table></div>\n";
    }

    pub fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>{}</title><style>{STYLE}</style></head>\n<body>\n{}</body></html>\n",
            escaped(&self.title),
            self.body
        )
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        whole_file::write(path, &self.html())
    }

    fn element(&mut self, tag: &str, text: &str) {
        let _ = writeln!(self.body, "<{tag}>{}</{tag}>", escaped(text));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        let mut page = Page::new("<script>");
        page.table(&["a & b"], &[vec!["\"<i>\"".to_owned()]]);
        let html = page.html();
        assert!(html.contains("<h1>&lt;script&gt;</h1>") && html.contains("<th>a &amp; b</th>"), "{html}");
        assert!(html.contains("<td>&quot;&lt;i&gt;&quot;</td>"), "{html}");
    }
}
