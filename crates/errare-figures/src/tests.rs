//! Whatever the data, a chart is well-formed SVG with everything inside it.

use super::*;
use crate::line_chart::{Format, Layout};
use roxmltree::{Document, Node};
use std::fmt::Debug;

const ODD: [f64; 9] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 0.0, -1.0, 1e300];

fn chart(points: &[&[(f64, f64)]]) -> LineChart {
    let series = points.iter().enumerate();
    LineChart {
        title: "Expected length".to_owned(),
        x: Axis::linear("competence"),
        y: Axis::linear("moves"),
        series: series.map(|(index, points)| Series::line(format!("player {index}"), points.iter().copied())).collect(),
        ..LineChart::default()
    }
}

fn heat_map(cells: &[&[f64]], log: bool) -> HeatMap {
    let columns = cells.first().map_or(0, |row| row.len());
    let rows = cells.iter().enumerate();
    HeatMap {
        title: "Transitions".to_owned(),
        x_label: "to".to_owned(),
        y_label: "from".to_owned(),
        columns: (0..columns).map(|index| index.to_string()).collect(),
        rows: rows.map(|(index, row)| Row { label: index.to_string(), cells: row.to_vec() }).collect(),
        log,
    }
}

/// Checks that a picture is well-formed, describes itself, and has a short number wherever one is expected.
fn checked(picture: &impl Debug, svg: String) -> String {
    let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{picture:?}: {error}"));
    let root = document.root_element();
    let size = ["width", "height"].map(|name| number(root, name));
    assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {} {}", size[0], size[1]).as_str()));
    for tag in ["title", "desc"] {
        assert_eq!(root.children().filter(|node| node.has_tag_name(tag)).count(), 1);
    }
    let geometry = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "points"];
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        if geometry.contains(&attribute.name()) {
            for number in attribute.value().split([' ', ',']) {
                let value: f64 = number.parse().unwrap_or_else(|_| panic!("{attribute:?} of {picture:?}"));
                assert!((0.0..=900.0).contains(&value) && number.len() <= 5, "{attribute:?} of {picture:?}");
            }
        }
    }
    for text in ["NaN", "inf"] {
        assert!(!svg.contains(text), "{text} in {picture:?}");
    }
    svg
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

/// The value of an attribute, of the element itself or else of the group it is in.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

fn count(svg: &str, tag: &str) -> usize {
    svg.matches(&format!("<{tag} ")).count()
}

/// The numbers of polylines and dots that these points add to a chart.
fn drawn(points: &[(f64, f64)], y_log: bool) -> (usize, usize) {
    let ends: &[(f64, f64)] = &[(0.0, 1.0), (9.0, 10.0)];
    let [svg, without] = [points, &[]].map(|points| {
        let mut picture = chart(&[ends, points]);
        picture.y.log = y_log;
        checked(&picture, picture.svg())
    });
    (count(&svg, "polyline") - count(&without, "polyline"), count(&svg, "circle") - count(&without, "circle"))
}

#[test]
fn lines_break_where_points_are_missing_and_lone_points_are_dots() {
    assert_eq!(drawn(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)], false), (1, 0));
    assert_eq!(drawn(&[(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 4.0), (4.0, 4.0)], false), (2, 0));
    assert_eq!(drawn(&[(0.0, 1.0), (1.0, f64::INFINITY), (2.0, 3.0), (3.0, 4.0)], false), (1, 1));
    assert_eq!(drawn(&[(f64::NAN, 1.0)], false), (0, 0));
    assert_eq!(drawn(&[(4.0, 4.0)], false), (0, 1));
    assert_eq!(drawn(&[(4.0, 4.0), (4.0, 4.0)], false), (0, 1));
    assert_eq!(drawn(&[(1.0, 2.0), (2.0, 2.0), (3.0, 0.0), (4.0, -1.0), (5.0, 2.0)], true), (1, 1));
}

#[test]
fn degenerate_line_charts_are_drawn() {
    let odd: Vec<(f64, f64)> = ODD.iter().flat_map(|&x| ODD.map(|y| (x, y))).collect();
    let cases: [&[&[(f64, f64)]]; 8] = [
        &[],
        &[&[]],
        &[&[], &[(1.0, 2.0)]],
        &[&[(3.0, 1.0), (3.0, 2.0), (3.0, 5.0)]],
        &[&[(0.0, 7.0), (1.0, 7.0), (2.0, 7.0)]],
        &[&[(0.0, 0.0), (1.0, 0.0)]],
        &[&[(f64::NAN, f64::NAN)]],
        &[&odd, &[(1.0, 1.0)]],
    ];
    let logs = [(false, false), (false, true), (true, false), (true, true)];
    for (case, (x_log, y_log)) in cases.into_iter().flat_map(|case| logs.map(|logs| (case, logs))) {
        let mut picture = chart(case);
        (picture.x.log, picture.y.log) = (x_log, y_log);
        checked(&picture, picture.svg());
        for series in &mut picture.series {
            series.style = Style::Dots;
            series.whiskers = odd.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        }
        checked(&picture, picture.svg());
        picture.marks = ODD.iter().map(|&x| Mark { x, label: "a crossing".to_owned() }).collect();
        checked(&picture, picture.svg());
        picture.marks = (0..40).map(|_| Mark { x: 0.999, label: "the same crossing again".to_owned() }).collect();
        checked(&picture, picture.svg());
        checked(&picture, picture.slim_svg());
        picture.title.clear();
        picture.x.label.clear();
        checked(&picture, picture.svg());
        checked(&picture, picture.slim_svg());
    }
}

/// On a screen 375 pixels wide, with a margin of 16 at each side, nothing needs to shrink.
#[test]
fn slim_charts_fit_a_telephone_with_letters_to_read() {
    let mut picture = chart(&[&[(0.0, 1600.0), (1.0, 3200.0)][..]; 4]);
    picture.title = "From the expected loss on the reference set to Elo".to_owned();
    picture.x.label = "expected average difference, pawns".to_owned();
    picture.series[1] = Series::dots("mileposts, 95%", [(0.5, 2000.0)]).with_whiskers([[(0.5, 1900.0), (0.5, 2100.0)]]);
    let svg = checked(&picture, picture.slim_svg());
    within(&svg);
    let document = Document::parse(&svg).expect("checked");
    assert!(number(document.root_element(), "width") <= 343.0);
    let texts = || document.descendants().filter(|node| node.has_tag_name("text"));
    for node in texts() {
        let size: f64 = inherited(node, "font-size").and_then(|size| size.parse().ok()).expect("a font size");
        assert!(size >= 11.0, "{node:?}");
        assert!(!node.text().unwrap_or_default().contains('\u{2026}'), "cut: {node:?}");
    }
    // The legend is below the label of the axis, and each series has its line there.
    let of = |name: &str| texts().find(|node| node.text() == Some(name)).unwrap_or_else(|| panic!("{name}"));
    for name in ["player 0", "mileposts, 95%", "player 2", "player 3"] {
        assert!(number(of(name), "y") > number(of("expected average difference, pawns"), "y"), "{name}");
    }
}

/// However little room there is, an axis has numbers.
#[test]
fn slim_logarithmic_axes_have_labels() {
    let mut picture = chart(&[&[(1.0, 1.0), (255.0, 2.0)]]);
    picture.x.log = true;
    let svg = checked(&picture, picture.slim_svg());
    let document = Document::parse(&svg).expect("checked");
    let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
    let below = texts.iter().filter(|node| inherited(**node, "text-anchor") == Some("middle"));
    let labels: Vec<&str> = below.filter_map(|node| node.text()).filter(|text| text.parse::<f64>().is_ok()).collect();
    assert!(labels.len() >= 3 && labels.contains(&"1"), "{labels:?}");
}

/// A name is at the height at which its line ends, unless another name is in its way.
#[test]
fn names_are_beside_the_ends_of_their_lines() {
    let picture = chart(&[&[(0.0, 0.0), (9.0, 9.0)], &[(0.0, 9.0), (9.0, 0.0)], &[(0.0, 5.0), (9.0, 0.1)]]);
    let frame = Layout::of(&picture, Format::BROAD).frame;
    let svg = checked(&picture, picture.svg());
    let document = Document::parse(&svg).expect("checked");
    let height = |name: &str| {
        let found = document.descendants().find(|node| node.has_tag_name("text") && node.text() == Some(name));
        number(found.unwrap_or_else(|| panic!("{name}")), "y")
    };
    let [high, low, above] = ["player 0", "player 1", "player 2"].map(height);
    assert!((high - frame.top).abs() < 10.0 && (low - frame.bottom).abs() < 10.0, "{high} {low}");
    assert!((10.0..30.0).contains(&(low - above)), "names that would meet are moved apart: {low} {above}");
}

#[test]
fn samples_in_the_legend_are_drawn_as_the_marks_are() {
    let samples = |whiskers: [[(f64, f64); 2]; 1]| {
        let mut picture = chart(&[&[(0.0, 0.0), (9.0, 9.0)], &[]]);
        picture.series[1] = Series::dots("a", [(5.0, 5.0)]).with_whiskers(whiskers);
        let frame = Layout::of(&picture, Format::BROAD).frame;
        let svg = checked(&picture, picture.svg());
        let document = Document::parse(&svg).expect("checked");
        let lines = document.descendants().filter(|node| node.has_tag_name("line"));
        let lines = lines.filter(|node| inherited(*node, "stroke-width") == Some("1.2"));
        let sample = lines.filter(|node| number(*node, "x1") > frame.right);
        sample
            .map(|node| (number(node, "x1") == number(node, "x2"), number(node, "y1") == number(node, "y2")))
            .collect()
    };
    let upright: Vec<(bool, bool)> = samples([[(5.0, 4.0), (5.0, 6.0)]]);
    assert_eq!(upright, [(true, false)]);
    let level: Vec<(bool, bool)> = samples([[(4.0, 5.0), (6.0, 5.0)]]);
    assert_eq!(level, [(false, true)]);
}

#[test]
fn dots_have_no_lines_and_whiskers_no_dashes() {
    let points = [(0.0, 1.0), (1.0, 3.0), (2.0, f64::NAN), (3.0, 2.0)];
    let mut picture = chart(&[&[], &[]]);
    let frame = checked(&picture, picture.svg());
    picture.series[1] =
        Series::dots("player 1", points).with_whiskers(points.map(|(x, y)| [(x, y - 1.0), (x, y + 1.0)]));
    let svg = checked(&picture, picture.svg());
    assert_eq!(count(&svg, "polyline"), count(&frame, "polyline"));
    // One more in the legend.
    assert_eq!(count(&svg, "circle"), 4);
    let document = Document::parse(&svg).expect("checked");
    let whiskers = document.descendants().filter(|node| inherited(*node, "stroke-width") == Some("1.2"));
    let whiskers: Vec<_> = whiskers.filter(|node| node.has_tag_name("line")).collect();
    assert_eq!(whiskers.len(), 4);
    assert!(whiskers.iter().all(|node| inherited(*node, "stroke-dasharray").is_none()));
}

#[test]
fn bands_are_two_lines() {
    let ends = |y: f64| [(0.0, y), (1.0, y + 1.0)];
    let band = Series::band("95%", ends(0.0), ends(2.0));
    let lines: Vec<usize> = band.points.split(|point| point.0.is_nan()).map(<[_]>::len).collect();
    assert_eq!((lines, band.style), (vec![2, 2], Style::Line));
}

#[test]
fn data_and_marks_stay_within_the_frame_and_ticks_in_order() {
    let mut picture = chart(&[&[(-3.0, 1e-7), (50.0, 4.0)], &[(2.0, 3.0), (70.0, -9.5)]]);
    picture.marks = [-3.0, 5.97, 70.0].map(|x| Mark { x, label: format!("c = {x}") }).to_vec();
    for log in [false, true] {
        picture.y.log = log;
        let frame = Layout::of(&picture, Format::BROAD).frame;
        let svg = checked(&picture, picture.svg());
        let document = Document::parse(&svg).expect("checked");
        let across = frame.left - 0.1..=frame.right + 0.1;
        let down = frame.top - 0.1..=frame.bottom + 0.1;
        for node in document.descendants().filter(|node| node.has_tag_name("polyline")) {
            for point in node.attribute("points").expect("points").split(' ') {
                let (x, y) = point.split_once(',').expect("a pair");
                assert!(across.contains(&x.parse().expect("x")) && down.contains(&y.parse().expect("y")), "{point}");
            }
        }
        let dashed = document.descendants().filter(|node| node.has_tag_name("line"));
        let marks: Vec<f64> = dashed
            .filter(|node| inherited(*node, "stroke-dasharray") == Some("4 3"))
            .map(|node| number(node, "x1"))
            .collect();
        assert!(marks.len() == 3 && marks.iter().all(|x| across.contains(x)), "{marks:?}");

        let below = |node: &Node<'_, '_>| {
            inherited(*node, "text-anchor") == Some("middle") && inherited(*node, "font-size") == Some("12")
        };
        let texts = || document.descendants().filter(|node| node.has_tag_name("text"));
        let x: Vec<f64> = texts().filter(below).map(|node| number(node, "x")).collect();
        let beside = texts().filter(|node| inherited(*node, "text-anchor") == Some("end"));
        let y: Vec<f64> = beside.map(|node| number(node, "y")).collect();
        assert!(x.len() >= 2 && x.is_sorted() && x.iter().all(|x| across.contains(x)), "{x:?}");
        assert!(
            y.len() >= 2 && y.is_sorted_by(|one, other| one > other) && y.iter().all(|y| down.contains(y)),
            "{y:?}"
        );
    }
}

#[test]
fn no_name_is_too_long_and_no_series_too_many() {
    let mut picture = chart(&[&[(0.0, 1.0), (1.0, 2.0)][..]; 60]);
    picture.title = "Expected length ".repeat(30);
    picture.y.label = picture.title.clone();
    picture.series[3].name = "<&>\"'\u{0}\u{1b}\n".repeat(20);
    picture.marks = vec![Mark { x: 1.0, label: picture.title.clone() }];
    let svg = checked(&picture, picture.svg());
    assert!(svg.contains("and 40 more</text>"));
}

#[test]
fn names_are_text_and_never_markup() {
    let name = "<b>&\"'";
    let mut picture = chart(&[&[(0.0, 1.0), (1.0, 2.0)]]);
    picture.series[0].name = name.to_owned();
    picture.title = name.to_owned();
    picture.x = Axis::linear(name);
    picture.marks = vec![Mark { x: 0.5, label: name.to_owned() }];
    let mut map = heat_map(&[&[1.0]], false);
    map.title = name.to_owned();
    map.columns[0] = name.to_owned();
    map.rows[0].label = name.to_owned();
    map.y_label = name.to_owned();
    for (svg, expected) in [(picture.svg(), 5), (map.svg(), 5)] {
        let document = Document::parse(&svg).expect("well-formed");
        let texts = document.descendants().filter(|node| node.is_element() && node.text() == Some(name));
        assert_eq!(texts.count(), expected, "{svg}");
        assert!(!document.descendants().any(|node| node.has_tag_name("b")));
    }
}

#[test]
fn text_stays_within_the_picture() {
    let mut picture = chart(&[&[(0.0, 1.0), (1.0, 2e9)][..]; 12]);
    picture.marks = [0.0, 0.5, 0.98, 1.0].map(|x| Mark { x, label: "crossing of two curves".to_owned() }).to_vec();
    picture.series[0].name = "a player with a rather long name".to_owned();
    within(&checked(&picture, picture.svg()));
    let mut picture = chart(&[&[(0.0, 1.0), (2e9, 2.0)]]);
    picture.series[0].name.clear();
    within(&checked(&picture, picture.svg()));
    let mut picture = heat_map(&[&[0.1; 20][..]; 3], true);
    picture.y_label = String::new();
    for end in [0, 19] {
        picture.columns[end] = "a state with a rather long name".to_owned();
    }
    within(&checked(&picture, picture.svg()));
}

fn within(svg: &str) {
    let document = Document::parse(svg).expect("checked");
    let width = number(document.root_element(), "width");
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let size = inherited(node, "font-size").and_then(|size| size.parse().ok()).expect("a font size");
        let extent = lettering::width(node.text().unwrap_or_default(), size);
        let (before, after) = match inherited(node, "text-anchor") {
            _ if node.attribute("transform").is_some() => (0.0, 0.0),
            Some("middle") => (extent / 2.0, extent / 2.0),
            Some("end") => (extent, 0.0),
            _ => (0.0, extent),
        };
        let x = number(node, "x");
        assert!(x - before >= 0.0 && x + after <= width, "{node:?}");
    }
}

#[test]
fn degenerate_heat_maps_are_drawn() {
    let cases: [&[&[f64]]; 9] = [
        &[],
        &[&[]],
        &[&[0.5]],
        &[&[0.0, 0.0], &[0.0, 0.0]],
        &[&[1.0, 1.0], &[1.0, 1.0]],
        &[&ODD],
        &[&[f64::NAN]],
        &[&[0.1; 150]],
        &[&[0.1][..]; 150],
    ];
    for (case, log) in cases.into_iter().flat_map(|case| [(case, false), (case, true)]) {
        let picture = heat_map(case, log);
        checked(&picture, picture.svg());
        checked(&picture, HeatMap { title: "x".repeat(500), y_label: "y".repeat(500), ..picture.clone() }.svg());
    }
}

#[test]
fn short_rows_end_in_grey_and_long_rows_are_cut() {
    let uneven = |last: &[f64]| {
        let map = heat_map(&[&[1.0, 2.0, 3.0], last], false);
        checked(&map, map.svg())
    };
    assert_eq!(uneven(&[4.0]), uneven(&[4.0, f64::NAN, f64::NAN]));
    assert_eq!(uneven(&[4.0, 5.0, 6.0, 700.0]), uneven(&[4.0, 5.0, 6.0]));
}

#[test]
fn cells_of_one_colour_are_one_rectangle_and_zeros_are_blank() {
    let rectangles = |cells: &[&[f64]], log| {
        let picture = heat_map(cells, log);
        count(&checked(&picture, picture.svg()), "rect")
    };
    let rest = rectangles(&[&[]], true);
    assert_eq!(rectangles(&[&[0.5, 0.5, 0.1, 0.5]], false) - rest, 3);
    assert_eq!(rectangles(&[&[0.0, 0.0, 0.1, 0.5]], false) - rest, 3);
    assert_eq!(rectangles(&[&[0.0, 0.0, 0.1, 0.5]], true) - rest, 2);
    assert_eq!(rectangles(&[&[0.0, 0.0], &[0.0, 0.0]], true) - rest, 0);
    assert_eq!(rectangles(&[&[f64::NAN, -1.0, 0.5]], true) - rest, 2);
}

#[test]
fn a_large_heat_map_stays_small() {
    let row = |from: usize| (0..150).map(move |to| 1.0 / (1.0 + from.abs_diff(to) as f64)).collect::<Vec<_>>();
    let rows: Vec<Vec<f64>> = (0..150).map(row).collect();
    let picture = heat_map(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), true);
    let svg = checked(&picture.title, picture.svg());
    assert!(svg.len() < 1_000_000, "{}", svg.len());
}

#[test]
fn the_same_picture_is_the_same_bytes() {
    let lines = chart(&[&[(0.0, 1.0), (1.0, 2.5)], &[(0.0, 3.0), (1.0, 1.0)]]);
    let map = heat_map(&[&[0.5, 0.25], &[0.0, 1.0]], true);
    for _ in 0..3 {
        assert_eq!(checked(&lines, lines.svg()), checked(&lines, lines.clone().svg()));
        assert_eq!(checked(&map, map.svg()), checked(&map, map.clone().svg()));
    }
}
