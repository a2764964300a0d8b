//! Building a page of HTML that needs no other files.

use super::block::PageBlock;
use super::plotted::PlottedChart;
use errare_figures::{LineChart, dark_style};
use std::fmt::Write as _;

/// The style sheet of all pages, readable in a browser of any width and on paper, in the light and in the dark. Where
/// there is little room the cells of a row stand below each other, each with the name of its column, and charts are
/// slim.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem}h1,h2,p,td,th,figcaption{overflow-wrap:anywhere}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\
th,td{padding:.2rem .4rem;text-align:right;border-bottom:1px solid #ccc;white-space:nowrap}\
th{white-space:normal;vertical-align:bottom}\
th:first-child,td:first-child{text-align:left;white-space:normal}thead th{border-bottom:2px solid #888}\
figure{margin:1.5rem 0}svg{max-width:100%;height:auto}figcaption,.note{color:#555;font-size:.9rem}.slim{display:none}\
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(16.5rem,1fr));gap:1.5rem 1rem}.cards figure{margin:0}\
.cards b{font-size:1rem}\
a{color:#1a5fb4}nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;border-bottom:1px solid #ccc;padding-bottom:.4rem}\
.entry{border-left:.3rem solid #888;padding-left:.8rem;margin:1.4rem 0;break-inside:avoid}.differs{border-left-style:double}\
.cannot{border-left-style:dotted}h3{font-size:1rem;margin:.2rem 0}.entry p{margin:.2rem 0}\
dl{display:grid;grid-template-columns:6rem 1fr;gap:.1rem .6rem;margin:.3rem 0;font-size:.9rem}dt{color:#555}\
dd{margin:0;overflow-wrap:anywhere}.differs dd.verdict{font-weight:bold}\
@media print{nav{display:none}}\
@media screen and (max-width:54rem){.broad{display:none}.slim{display:block}}\
@media screen and (max-width:40rem){thead{display:none}table,tbody,tr,td{display:block}\
tr{border-bottom:2px solid #888;padding:.4rem 0}td,td:first-child{display:flex;justify-content:space-between;gap:1rem;\
border:0;padding:.1rem 0;white-space:normal;text-align:right}td:empty{display:none}\
td::before{content:attr(data-label);text-align:left;color:#555;flex:none;max-width:60%}td[data-label='']::before{content:none}}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}th,td,nav{border-color:#444}\
figcaption,.note,dt{color:#aaa}td::before{color:#aaa}a{color:#7ab7ff}";

/// The whole style sheet of a page, with the dark style of charts.
fn style() -> String {
    format!("{STYLE}{}}}", dark_style())
}

/// A link: an address, and the words to click on.
pub type Link<'a> = (&'a str, &'a str);

/// A small picture with a description.
#[derive(Clone, Debug)]
pub struct Card {
    /// The picture, as SVG.
    pub svg: String,
    /// The line below the picture.
    pub title: String,
    /// The text below the title.
    pub text: String,
}

/// A statement with rows of facts that belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The name by which the page can be linked to this entry.
    pub anchor: &'a str,
    /// The class of the entry's style.
    pub class: &'a str,
    /// The title above the statement.
    pub title: &'a str,
    /// The words of the statement.
    pub text: &'a str,
    /// Names and texts of the facts below the statement.
    pub rows: &'a [(&'a str, &'a str)],
}

/// A page in the making.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
    /// The parts of the page as data, without markup.
    blocks: Vec<PageBlock>,
}

impl Page {
    /// Begins a page with a title.
    #[must_use]
    pub fn new(title: &str) -> Page {
        let body = format!("<h1>{}</h1>\n", escaped(title));
        Page { title: title.to_owned(), body, blocks: Vec::new() }
    }

    /// The title of the page, as it was given.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: &str) {
        self.blocks.push(PageBlock::Heading { text: text.to_owned() });
        self.element("h2", text);
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.blocks.push(PageBlock::Paragraph { text: text.to_owned() });
        self.element("p", text);
    }

    /// Adds a note in small print.
    pub fn note(&mut self, text: &str) {
        self.blocks.push(PageBlock::Note { text: text.to_owned() });
        let _ = writeln!(self.body, "<p class=\"note\">{}</p>", escaped(text));
    }

    /// Adds a chart with a caption: broad, and slim for where there is little room.
    pub fn chart(&mut self, chart: &LineChart, caption: &str) {
        self.blocks.push(PageBlock::Chart { chart: PlottedChart::new(chart.clone(), caption) });
        let (broad, slim, caption) = (chart.svg(), chart.slim_svg(), escaped(caption));
        let _ = writeln!(
            self.body,
            "<figure><div class=\"broad\">{broad}</div><div class=\"slim\">{slim}</div><figcaption>{caption}</figcaption>\
             </figure>"
        );
    }

    /// Adds pictures side by side, as many in a row as fit.
    pub fn cards(&mut self, cards: &[Card]) {
        self.body += "<div class=\"cards\">\n";
        for Card { svg, title, text } in cards {
            let caption = format!("<b>{}</b><br>{}", escaped(title), escaped(text));
            let _ = writeln!(self.body, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
        }
        self.body += "</div>\n";
    }

    /// Adds a statement with rows of facts that belong to it.
    pub fn entry(&mut self, entry: &Entry<'_>) {
        let row = |(name, text): &(&str, &str)| {
            let name = escaped(name);
            format!("<dt>{name}</dt><dd class=\"{name}\">{}</dd>", escaped(text))
        };
        let _ = writeln!(
            self.body,
            "<section class=\"entry {}\" id=\"{}\"><h3>{}</h3><p>{}</p><dl>{}</dl></section>",
            escaped(entry.class),
            escaped(entry.anchor),
            escaped(entry.title),
            escaped(entry.text),
            entry.rows.iter().map(row).collect::<String>()
        );
    }

    /// Adds links to entries of this page, by their anchors.
    pub fn anchors(&mut self, anchors: &[&str]) {
        let links: Vec<String> = anchors.iter().map(|anchor| link(&(&format!("#{anchor}"), anchor))).collect();
        let _ = writeln!(self.body, "<p>{}</p>", links.join(", "));
    }

    /// Adds a table. Each row has as many cells as the header.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let names = header.iter().map(|&name| name.to_owned()).collect();
        self.blocks.push(PageBlock::Table { header: names, rows: rows.to_vec() });
        let head: String = header.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
        let _ = writeln!(self.body, "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>");
        for row in rows {
            let names = header.iter().copied().chain(std::iter::repeat(""));
            let cells = row
                .iter()
                .zip(names)
                .map(|(cell, name)| format!("<td data-label=\"{}\">{}</td>", escaped(name), escaped(cell)));
            let _ = writeln!(self.body, "<tr>{}</tr>", cells.collect::<String>());
        }
        self.body += "</tbody></table></div>\n";
    }

    /// The contents of the page below its title, as data: headings, paragraphs, notes, tables and charts.
    #[must_use]
    pub fn blocks(&self) -> &[PageBlock] {
        &self.blocks
    }

    /// Returns the page as a document by itself.
    #[must_use]
    pub fn html(&self) -> String {
        self.document("")
    }

    /// Returns the page as one of several documents, with links to them.
    #[must_use]
    pub fn served(&self, links: &[Link<'_>]) -> String {
        self.document(&format!("<nav>{}</nav>\n", joined(links)))
    }

    fn document(&self, links: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>{}</title><style>{}</style></head>\n<body>\n{links}{}</body></html>\n",
            escaped(&self.title),
            style(),
            self.body
        )
    }

    fn element(&mut self, tag: &str, text: &str) {
        let _ = writeln!(self.body, "<{tag}>{}</{tag}>", escaped(text));
    }
}

fn link((address, words): &Link<'_>) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(address), escaped(words))
}

fn joined(links: &[Link<'_>]) -> String {
    links.iter().map(link).collect::<Vec<_>>().join("\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_no_markup_either() {
        let page = Page::new("a");
        let html = page.served(&[("/x?y=\"&z", "<home>")]);
        assert!(html.contains("<nav><a href=\"/x?y=&quot;&amp;z\">&lt;home&gt;</a></nav>"), "{html}");
        assert!(!page.html().contains("<nav>"), "a page by itself leads nowhere");
    }

    /// On a narrow screen a cell has no column head above it, and a broad chart no room.
    #[test]
    fn there_is_a_form_for_narrow_screens_and_one_for_the_dark() {
        let mut page = Page::new("a");
        page.table(&["game", "z"], &[vec!["A - B".to_owned(), "1.5".to_owned()]]);
        page.chart(&LineChart::default(), "nothing");
        page.cards(&[Card { svg: "<svg/>".to_owned(), title: "1. <e4>".to_owned(), text: "best".to_owned() }]);
        let html = page.html();
        assert!(html.contains("<td data-label=\"game\">A - B</td><td data-label=\"z\">1.5</td>"), "{html}");
        let width = |class: &str| {
            let (_, rest) = html.split_once(&format!("<div class=\"{class}\"><svg ")).expect("a chart");
            rest.split_once(" width=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a width").to_owned()
        };
        assert_eq!((width("broad").as_str(), width("slim").as_str()), ("840", "340"));
        assert!(
            html.contains("<figure><svg/><figcaption><b>1. &lt;e4&gt;</b><br>best</figcaption></figure>"),
            "{html}"
        );
        let (_, dark) = html.split_once("@media(prefers-color-scheme:dark){").expect("a dark style");
        assert!(dark.contains("svg [fill=\"#ffffff\"]{fill:#1b1b1b}"), "{dark}");
        let (style, _) = dark.split_once("</style>").expect("an end");
        assert_eq!(style.matches('{').count() + 1, style.matches('}').count(), "{style}");
    }

    #[test]
    fn names_are_no_markup() {
        let mut page = Page::new("<script>");
        page.table(&["a & b"], &[vec!["\"<i>\"".to_owned()]]);
        let html = page.html();
        assert!(html.contains("<h1>&lt;script&gt;</h1>") && html.contains("<th>a &amp; b</th>"), "{html}");
        assert!(html.contains("<td data-label=\"a &amp; b\">&quot;&lt;i&gt;&quot;</td>"), "{html}");
    }
}
