//! Lines and dots over a common axis, with their names at the right and marks above.

use crate::frame::{Frame, GAP, MARGIN, Title, label_room, small};
use crate::lettering::{SMALL, fit, widest, width};
use crate::marks::{Mark, rows};
use crate::palette::{Colour, FRAME, GRID, line as line_style};
use crate::scale::{Scale, Tick, extent};
use crate::svg::{Element, Point, dot, line, picture, polyline, ruled, tenth, text};

/// The format of a chart: its size, and where its legend is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    width: f64,
    /// The height of the chart without a legend below.
    height: f64,
    is_legend_below: bool,
    title_lines: usize,
}

impl Format {
    pub(crate) const BROAD: Format = Format { width: 840.0, height: 520.0, is_legend_below: false, title_lines: 2 };
    pub(crate) const SLIM: Format = Format { width: 340.0, height: 360.0, is_legend_below: true, title_lines: 4 };
}

/// The greatest number of series that the legend of a slim chart names.
const MAX_NAMES_BELOW: usize = 24;
/// The distance of two lines of small text.
const LINE: f64 = 18.0;
/// The width of a sample in the legend.
const SAMPLE: f64 = 36.0;
/// The height of an upright sample in the legend.
const SAMPLE_HEIGHT: f64 = 14.0;
/// The greatest width of a name or label; longer ones are cut.
const MAX_NAME: f64 = 190.0;
/// The greatest number of ticks on the vertical axis: so many labels have room even under many rows of marks, and
/// twelve powers of ten get a label each.
const MAX_Y_TICKS: usize = 13;
const MAX_X_TICKS: usize = 10;
/// The greatest number of rows of marks: more would leave too little room for the data. Marks above them get no label.
const MAX_ROWS: usize = 8;
const LINE_WIDTH: f64 = 1.8;
const WHISKER_WIDTH: f64 = 1.2;
const RADIUS: f64 = 3.0;

/// A chart of series that share their axes. About twelve series are easy to tell apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// The title above the chart; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series that are drawn, the first at the back.
    pub series: Vec<Series>,
    /// Places on the horizontal axis to point out.
    pub marks: Vec<Mark>,
}

/// An axis of a chart. It covers the range of the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The label beside the axis; may be empty.
    pub label: String,
    /// Whether the axis is logarithmic. Numbers that are not positive are then left out.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: true }
    }
}

/// Points of one colour under one name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend. A series without a name is not in the legend.
    pub name: String,
    /// How the points are drawn.
    pub style: Style,
    /// The points, from left to right. A line is broken where a point has no place on the axes.
    pub points: Vec<(f64, f64)>,
    /// Straight lines between two points each, for intervals.
    pub whiskers: Vec<[(f64, f64); 2]>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The points are joined by a line; a point without neighbours is a dot.
    #[default]
    Line,
    /// Each point is a dot.
    Dots,
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { name: name.into(), points: points.into_iter().collect(), ..Series::default() }
    }

    /// Two lines under one name, such as the ends of an interval along an axis.
    pub fn band(
        name: impl Into<String>,
        low: impl IntoIterator<Item = (f64, f64)>,
        high: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        let gap = (f64::NAN, f64::NAN);
        Series::line(name, low.into_iter().chain([gap]).chain(high))
    }

    /// A dot at each point.
    pub fn dots(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { style: Style::Dots, ..Series::line(name, points) }
    }

    /// Adds straight lines between two points each, for intervals.
    #[must_use]
    pub fn with_whiskers(self, whiskers: impl IntoIterator<Item = [(f64, f64); 2]>) -> Series {
        Series { whiskers: whiskers.into_iter().collect(), ..self }
    }
}

impl LineChart {
    /// The chart as SVG, broad, with the name of each series at the right, beside the end of its line.
    #[must_use]
    pub fn svg(&self) -> String {
        self.drawn(Format::BROAD)
    }

    /// The chart as SVG, slim, with the legend below, for a telephone: letters are as large as in the broad one.
    #[must_use]
    pub fn slim_svg(&self) -> String {
        self.drawn(Format::SLIM)
    }

    fn drawn(&self, format: Format) -> String {
        let layout = Layout::of(self, format);
        let mut svg = picture(format.width, layout.height(), &self.title, &layout.description());
        layout.axes(&mut svg);
        layout.marks(&mut svg);
        for (index, series) in self.series.iter().enumerate() {
            layout.series(&mut svg, index, series);
        }
        layout.legend(&mut svg);
        svg.to_string()
    }
}

/// Positions and sizes of the parts of a chart.
pub(crate) struct Layout<'a> {
    chart: &'a LineChart,
    format: Format,
    title: Title,
    pub(crate) frame: Frame,
    x: Scale,
    y: Scale,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    /// The marks that have a place, from left to right.
    marks: Vec<PlacedMark<'a>>,
}

/// A mark's vertical line, from its top down to the frame's bottom, and the label beside the top.
struct PlacedMark<'a> {
    x: f64,
    top: f64,
    label: &'a str,
}

impl<'a> Layout<'a> {
    pub(crate) fn of(chart: &'a LineChart, format: Format) -> Layout<'a> {
        let points =
            || chart.series.iter().flat_map(|series| series.points.iter().chain(series.whiskers.as_flattened()));
        let y = Scale::round(points().map(|point| point.1), chart.y.log, MAX_Y_TICKS);
        // A point without a height counts here all the same, so that a gap at an end of a line can be seen.
        let x = Scale::tight(points().map(|point| point.0).chain(chart.marks.iter().map(|mark| mark.x)), chart.x.log);
        let y_ticks = y.ticks(MAX_Y_TICKS);

        let mut marks: Vec<(f64, &str)> =
            chart.marks.iter().filter_map(|mark| Some((x.place(mark.x)?, mark.label.as_str()))).collect();
        marks.sort_by(|one, other| one.0.total_cmp(&other.0));

        let left = MARGIN + label_room(&chart.y.label) + widest(y_ticks.iter().map(|tick| &tick.label)) + GAP + 4.0;
        let right = right_edge(chart, format, left, &marks, &x);
        let across = |share: f64| left + share * (right - left);
        let rows = rows(&marks.iter().map(|&(share, label)| (across(share), mark_width(label))).collect::<Vec<_>>());
        let labelled = |row: &usize| *row < MAX_ROWS;
        let mark_rows = rows.iter().copied().filter(labelled).map(|row| row + 1).max().unwrap_or(0);
        // A slim chart has no room to spare beside its title.
        let title_left = if format.is_legend_below { MARGIN } else { left };
        let title = Title::new(&chart.title, title_left, format.width, format.title_lines);
        let top = MARGIN + title.room() + mark_rows as f64 * LINE;
        let bottom = format.height - MARGIN - label_room(&chart.x.label) - SMALL - GAP;
        let frame = Frame { left, right, top, bottom };
        let x_ticks = x_ticks(&x, &frame);
        let marks = marks.into_iter().zip(rows).map(|((share, label), row)| {
            let shown = labelled(&row) && !label.is_empty();
            let above = if shown { (row + 1) as f64 * LINE - 3.0 } else { 0.0 };
            PlacedMark { x: frame.across(share), top: top - above, label: if shown { label } else { "" } }
        });
        let marks = marks.collect();
        Layout { chart, format, title, frame, x, y, x_ticks, y_ticks, marks }
    }

    /// The height of the picture, with the legend if that is below.
    fn height(&self) -> f64 {
        let named = self.chart.series.iter().filter(|series| !series.name.is_empty()).count();
        let rows = if self.format.is_legend_below { named.min(MAX_NAMES_BELOW) } else { 0 };
        self.format.height + rows as f64 * LINE
    }

    fn place(&self, (x, y): (f64, f64)) -> Option<Point> {
        Some((self.frame.across(self.x.place(x)?), self.frame.up(self.y.place(y)?)))
    }

    /// Describes the chart, for people who cannot see it.
    fn description(&self) -> String {
        let axis = |axis: &Axis, ticks: &[Tick]| {
            let kind = if axis.log { "logarithmic, " } else { "" };
            format!("{} ({kind}{})", axis.label, extent(ticks))
        };
        let (x, y) = (axis(&self.chart.x, &self.x_ticks), axis(&self.chart.y, &self.y_ticks));
        let names = self.chart.series.iter().map(|series| series.name.as_str()).filter(|name| !name.is_empty());
        let names = names.collect::<Vec<_>>().join(", ");
        format!("Line chart. Horizontal axis: {x}. Vertical axis: {y}. Series: {names}.")
    }

    fn axes(&self, svg: &mut Element) {
        let Frame { left, right, top, bottom } = self.frame;
        let x_ticks: Vec<_> = self.x_ticks.iter().map(|tick| (self.frame.across(tick.share), &*tick.label)).collect();
        let y_ticks: Vec<_> = self.y_ticks.iter().map(|tick| (self.frame.up(tick.share), &*tick.label)).collect();
        let vertical = x_ticks.iter().map(|&(x, _)| line((x, top), (x, bottom)));
        let horizontal = y_ticks.iter().map(|&(y, _)| line((left, y), (right, y)));
        svg.push_group(ruled(GRID), vertical.chain(horizontal));

        let below = self.x.minor().into_iter().map(|share| {
            let x = self.frame.across(share);
            line((x, bottom), (x, bottom + 3.0))
        });
        let beside = self.y.minor().into_iter().map(|share| {
            let y = self.frame.up(share);
            line((left - 3.0, y), (left, y))
        });
        let edges = [polyline(&[(left, top), (left, bottom), (right, bottom)])];
        svg.push_group(ruled(FRAME), edges.into_iter().chain(below).chain(beside));
        self.frame.x_ticks(svg, &x_ticks);
        self.frame.y_ticks(svg, &y_ticks);
        self.frame.label(svg, &self.title, self.format.height, &self.chart.x.label, &self.chart.y.label);
    }

    fn marks(&self, svg: &mut Element) {
        let lines = self.marks.iter().map(|mark| line((mark.x, mark.top), (mark.x, self.frame.bottom)));
        svg.push_group(ruled(FRAME).with("stroke-dasharray", "4 3"), lines);
        let labels = self.marks.iter().filter(|mark| !mark.label.is_empty());
        let labels = labels.map(|mark| text(&fit(mark.label, SMALL, MAX_NAME), (mark.x + 4.0, mark.top + SMALL / 2.0)));
        svg.push_group(small("start"), labels);
    }

    fn series(&self, svg: &mut Element, index: usize, series: &Series) {
        let whiskers = series.whiskers.iter().filter_map(|&[from, to]| Some(line(self.place(from)?, self.place(to)?)));
        svg.push_group(whiskers_of(index), whiskers);

        let places: Vec<Option<Point>> = series.points.iter().map(|&point| self.place(point)).collect();
        let mut dots: Vec<Point> = Vec::new();
        let mut lines: Vec<Element> = Vec::new();
        match series.style {
            Style::Dots => dots.extend(places.iter().flatten()),
            Style::Line => {
                for run in places.split(Option::is_none) {
                    // Points on one spot, as far as the picture shows, are one.
                    let mut run: Vec<Point> = run.iter().flatten().map(|&(x, y)| (tenth(x), tenth(y))).collect();
                    run.dedup();
                    match run.as_slice() {
                        [] => {}
                        [alone] => dots.push(*alone),
                        _ => lines.push(polyline(&run)),
                    }
                }
            }
        }
        svg.push_group(lines_of(index), lines);
        svg.push_group(dots_of(index), dots.into_iter().map(|point| dot(point, RADIUS)));
    }

    fn legend(&self, svg: &mut Element) {
        let named = self.chart.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        let named: Vec<(usize, &Series)> = named.collect();
        let is_below = self.format.is_legend_below;
        let room = if is_below { MAX_NAMES_BELOW } else { (self.frame.height() / LINE).floor() as usize };
        let shown = if named.len() > room { room.saturating_sub(1) } else { named.len() };
        let left = if is_below { MARGIN } else { self.frame.right + GAP * 2.0 };
        let heights = if is_below {
            (0..=shown).map(|row| self.format.height - GAP + row as f64 * LINE + SMALL / 2.0).collect()
        } else {
            self.beside_ends(named.iter().take(shown).map(|&(_, series)| series), shown < named.len())
        };
        let height = |row: usize| heights[row];
        for (row, &(index, series)) in named.iter().take(shown).enumerate() {
            let y = height(row);
            let sample = || [line((left, y), (left + SAMPLE, y))];
            if !series.whiskers.is_empty() {
                // Upright where they are upright in the chart.
                let is_upright = series.whiskers.iter().all(|[from, to]| from.0 == to.0);
                let (x, half) = (left + SAMPLE / 2.0, SAMPLE_HEIGHT / 2.0);
                let whisker = if is_upright { [line((x, y - half), (x, y + half))] } else { sample() };
                svg.push_group(whiskers_of(index), whisker);
            }
            match series.style {
                Style::Line => svg.push_group(lines_of(index), sample()),
                Style::Dots => svg.push_group(dots_of(index), [dot((left + SAMPLE / 2.0, y), RADIUS)]),
            }
        }
        let rest = (shown < named.len()).then(|| format!("and {} more", named.len() - shown));
        let names = named.iter().take(shown).map(|(_, series)| &series.name).chain(&rest).enumerate();
        let max_name = if is_below { self.format.width - 2.0 * MARGIN - SAMPLE - GAP } else { MAX_NAME };
        let names = names.map(|(row, name)| text(&fit(name, SMALL, max_name), (left + SAMPLE + GAP, height(row))));
        svg.push_group(small("start"), names);
    }
}

impl Layout<'_> {
    /// The heights of names beside the ends of their lines, apart enough to be read; one more at the bottom if there is `more`.
    fn beside_ends<'s>(&self, named: impl Iterator<Item = &'s Series>, more: bool) -> Vec<f64> {
        let Frame { top, bottom, .. } = self.frame;
        let end = |series: &Series| {
            let places = series.points.iter().filter_map(|&point| self.place(point));
            places.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(top, |(_, y)| y)
        };
        let wanted: Vec<f64> = named.map(end).chain(more.then_some(bottom)).collect();
        spread(&wanted, top + SMALL / 2.0, bottom - SMALL / 2.0)
    }
}

/// Moves heights apart by at least a line, as little as possible and in their order, between a top and a bottom.
fn spread(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut heights = wanted.to_vec();
    let mut least = top;
    for &place in &order {
        heights[place] = heights[place].max(least);
        least = heights[place] + LINE;
    }
    let mut most = bottom;
    for &place in order.iter().rev() {
        heights[place] = heights[place].min(most);
        most = heights[place] - LINE;
    }
    heights
}

/// The right edge of the frame, with room for the legend, the labels of marks and those of the axis.
fn right_edge(chart: &LineChart, format: Format, left: f64, marks: &[(f64, &str)], x: &Scale) -> f64 {
    let names = widest(chart.series.iter().map(|series| &series.name)).min(MAX_NAME);
    let legend = if names > 0.0 && !format.is_legend_below { GAP * 2.0 + SAMPLE + GAP + names } else { GAP };
    let ticks = widest(x.ticks(MAX_X_TICKS).iter().map(|tick| &tick.label)) / 2.0;
    // A label must end within the picture; its mark is at a share of the frame's width.
    let marks = marks.iter().filter(|(share, _)| *share > 0.0);
    let marks = marks.map(|(share, label)| left + (format.width - MARGIN - mark_width(label) - left) / share);
    marks.fold((format.width - MARGIN - legend).min(format.width - GAP - ticks), f64::min)
}

/// Chooses the ticks of the horizontal axis, as many as there is room for their labels.
fn x_ticks(x: &Scale, frame: &Frame) -> Vec<Tick> {
    let fits = |ticks: &Vec<Tick>| {
        ticks.windows(2).all(|pair| {
            let room = frame.across(pair[1].share) - frame.across(pair[0].share);
            room > (width(&pair[0].label, SMALL) + width(&pair[1].label, SMALL)) / 2.0 + GAP
        })
    };
    let found = (2..=MAX_X_TICKS).rev().map(|count| x.ticks(count)).find(fits);
    // The ticks of a logarithmic axis are what they are: where they do not fit, some are left out.
    found
        .or_else(|| (2..MAX_X_TICKS).map(|stride| x.ticks(2).into_iter().step_by(stride).collect()).find(fits))
        .unwrap_or_default()
}

fn mark_width(label: &str) -> f64 {
    if label.is_empty() { 0.0 } else { width(label, SMALL).min(MAX_NAME) + 4.0 + GAP }
}

/// A group of lines of a series.
fn lines_of(index: usize) -> Element {
    let (colour, dash) = line_style(index);
    let group = stroke(colour, LINE_WIDTH).with("stroke-linejoin", "round");
    match dash {
        None => group,
        Some(dash) => group.with("stroke-dasharray", dash),
    }
}

/// A group of whiskers of a series: thin, and never dashed.
fn whiskers_of(index: usize) -> Element {
    stroke(line_style(index).0, WHISKER_WIDTH)
}

/// A group of dots of a series.
fn dots_of(index: usize) -> Element {
    Element::new("g").with("fill", line_style(index).0)
}

fn stroke(colour: Colour, width: f64) -> Element {
    Element::new("g").with("fill", "none").with("stroke", colour).with("stroke-width", width)
}
