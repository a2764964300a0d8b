//! Charts as data, for interfaces that draw them themselves.

use errare_figures::{LineChart, Series, Style};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A chart as numbers and names, which a report page shows as a picture.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlottedChart {
    /// The text above the chart.
    pub title: String,
    /// A sentence on what the chart shows.
    pub caption: String,
    /// The horizontal axis.
    pub x: PlottedAxis,
    /// The vertical axis.
    pub y: PlottedAxis,
    /// The series of points that are drawn, the first at the back.
    pub series: Vec<PlottedSeries>,
}

/// An axis of a chart.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlottedAxis {
    /// The text beside the axis.
    pub label: String,
    /// Whether the axis is logarithmic.
    pub log: bool,
}

/// Points of one colour under one name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlottedSeries {
    /// The name of the series in the legend.
    pub name: String,
    /// Lines, each from left to right.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// Dots of the series.
    pub dots: Vec<(f64, f64)>,
    /// Straight lines between two points each, for intervals.
    pub whiskers: Vec<[(f64, f64); 2]>,
}

impl PlottedChart {
    pub(super) fn new(chart: LineChart, caption: &str) -> PlottedChart {
        let axis = |axis: errare_figures::Axis| PlottedAxis { label: axis.label, log: axis.log };
        PlottedChart {
            title: chart.title,
            caption: caption.to_owned(),
            x: axis(chart.x),
            y: axis(chart.y),
            series: chart.series.into_iter().map(PlottedSeries::new).collect(),
        }
    }
}

impl PlottedSeries {
    fn new(Series { name, style, points, whiskers }: Series) -> PlottedSeries {
        let is_point = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let whiskers = whiskers.into_iter().filter(|ends| ends.iter().all(is_point)).collect();
        let (lines, dots) = match style {
            Style::Dots => (Vec::new(), points.into_iter().filter(is_point).collect()),
            // A point without a place ends a line.
            Style::Line => {
                let parts = points.split(|point| !is_point(point)).filter(|part| !part.is_empty());
                (parts.map(<[_]>::to_vec).collect(), Vec::new())
            }
        };
        PlottedSeries { name, lines, dots, whiskers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_figures::Axis;

    #[test]
    fn a_band_is_two_lines_and_dots_stay_dots() {
        let series = vec![
            Series::band("95%", [(0.0, 1.0), (1.0, 2.0)], [(0.0, 3.0), (1.0, 4.0)]),
            Series::dots("mileposts", [(0.5, f64::NAN), (0.5, 2.0)]).with_whiskers([[(0.5, 1.0), (0.5, 3.0)]]),
        ];
        let chart = LineChart { title: "t".to_owned(), x: Axis::log("moves"), series, ..LineChart::default() };
        let plotted = PlottedChart::new(chart, "c");
        assert_eq!((plotted.x.label.as_str(), plotted.x.log, plotted.y.log), ("moves", true, false));
        assert_eq!(plotted.series[0].lines, [[(0.0, 1.0), (1.0, 2.0)], [(0.0, 3.0), (1.0, 4.0)]]);
        assert_eq!((plotted.series[1].lines.len(), plotted.series[1].dots.len()), (0, 1));
        assert_eq!(plotted.series[1].whiskers, [[(0.5, 1.0), (0.5, 3.0)]]);
    }
}
