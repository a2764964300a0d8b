//! Pictures of everything that can go wrong in data are still pictures.

use super::*;
use std::fmt::Debug;

const ODD: [f64; 9] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 0.0, -1.0, 1e300];

fn curves(points: &[&[(f64, f64)]]) -> Curves {
    let series = points.iter().enumerate();
    let series = series.map(|(index, points)| Series { name: format!("player {index}"), points: points.to_vec() });
    Curves {
        title: "Expected length".to_owned(),
        x_label: "competence".to_owned(),
        y_label: "moves".to_owned(),
        series: series.collect(),
        ..Curves::default()
    }
}

fn heat_map(cells: &[&[f64]], log: bool) -> HeatMap {
    let names = |count: usize| (0..count).map(|index| index.to_string()).collect();
    HeatMap {
        title: "Transitions".to_owned(),
        x_label: "to".to_owned(),
        y_label: "from".to_owned(),
        columns: names(cells.first().map_or(0, |row| row.len())),
        rows: names(cells.len()),
        cells: cells.iter().map(|row| row.to_vec()).collect(),
        log,
    }
}

/// Every attribute that should be a number, or a list of them, is one, and short.
fn checked(picture: &impl Debug, svg: Result<String, PlotError>) -> String {
    let svg = svg.unwrap_or_else(|error| panic!("{picture:?}: {error}"));
    let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{picture:?}: {error}"));
    assert_eq!(document.root_element().attribute("viewBox").map(|view| view.split(' ').count()), Some(4));
    assert!(document.descendants().any(|node| node.has_tag_name("title")));
    let geometry = ["x", "y", "width", "height", "cx", "cy", "r", "points", "font-size", "stroke-width"];
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        if geometry.contains(&attribute.name()) {
            for number in attribute.value().split([' ', ',']) {
                let value: f64 = number.parse().unwrap_or_else(|_| panic!("{attribute:?} of {picture:?}"));
                assert!((0.0..=9000.0).contains(&value) && number.len() <= 6, "{attribute:?} of {picture:?}");
            }
        }
    }
    for text in ["NaN", "inf"] {
        assert!(!svg.contains(text), "{text} in {picture:?}");
    }
    svg
}

fn count(svg: &str, tag: &str) -> usize {
    svg.matches(&format!("<{tag} ")).count()
}

/// How much more is drawn with these points than without any.
fn drawn(points: &[(f64, f64)], y_log: bool) -> (usize, usize) {
    let ends: &[(f64, f64)] = &[(0.0, 1.0), (9.0, 10.0)];
    let picture = Curves { y_log, ..curves(&[ends, points]) };
    let without = Curves { y_log, ..curves(&[ends, &[]]) };
    let (svg, without) = (checked(&picture, picture.svg()), checked(&without, without.svg()));
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
fn degenerate_curves_are_drawn() {
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
        let mut picture = Curves { x_log, y_log, ..curves(case) };
        checked(&picture, picture.svg());
        picture.marks = ODD.iter().map(|&x| Mark { x, label: "a crossing".to_owned() }).collect();
        checked(&picture, picture.svg());
        picture.marks = (0..40).map(|_| Mark { x: 0.999, label: "the same crossing again".to_owned() }).collect();
        checked(&picture, picture.svg());
        checked(&picture, Curves { title: String::new(), x_label: String::new(), ..picture.clone() }.svg());
    }
}

#[test]
fn no_name_is_too_long_and_no_series_too_many() {
    let mut picture = curves(&[&[(0.0, 1.0), (1.0, 2.0)][..]; 60]);
    picture.title = "Expected length ".repeat(30);
    picture.y_label = picture.title.clone();
    picture.series[3].name = "<&>\"'\u{0}\u{1b}\n".repeat(20);
    picture.marks = vec![Mark { x: 1.0, label: picture.title.clone() }];
    let svg = checked(&picture, picture.svg());
    assert!(svg.contains("and 39 more</text>"));
}

#[test]
fn text_stays_within_the_picture() {
    let mut picture = curves(&[&[(0.0, 1.0), (1.0, 2e9)][..]; 12]);
    picture.marks = [0.0, 0.5, 0.98, 1.0].map(|x| Mark { x, label: "crossing of two curves".to_owned() }).to_vec();
    picture.series[0].name = "a player with a rather long name".to_owned();
    within(&checked(&picture, picture.svg()));
    let mut picture = heat_map(&[&[0.1; 20][..]; 3], true);
    picture.y_label = String::new();
    for end in [0, 19] {
        picture.columns[end] = "a state with a rather long name".to_owned();
    }
    within(&checked(&picture, picture.svg()));
}

fn within(svg: &str) {
    let document = roxmltree::Document::parse(svg).expect("checked");
    let number = |node: roxmltree::Node<'_, '_>, name| {
        node.attribute(name).and_then(|value| value.parse::<f64>().ok()).expect("a number")
    };
    let width = number(document.root_element(), "width") * 10.0;
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let extent = lettering::width(node.text().unwrap_or_default(), number(node, "font-size"));
        let (before, after) = match node.attribute("text-anchor") {
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
    let uneven = HeatMap { rows: vec!["one".to_owned()], ..heat_map(&[&[1.0], &[2.0]], false) };
    assert!(matches!(uneven.svg(), Err(PlotError::Shape { rows: 1, columns: 1, .. })));
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
    let lines = curves(&[&[(0.0, 1.0), (1.0, 2.5)], &[(0.0, 3.0), (1.0, 1.0)]]);
    let map = heat_map(&[&[0.5, 0.25], &[0.0, 1.0]], true);
    for _ in 0..3 {
        assert_eq!(checked(&lines, lines.svg()), checked(&lines, lines.clone().svg()));
        assert_eq!(checked(&map, map.svg()), checked(&map, map.clone().svg()));
    }
}

#[test]
fn pictures_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("picture.svg");
    write(&path, "<svg/>").expect("written");
    write(&path, "<svg></svg>").expect("written over");
    assert_eq!(fs::read_to_string(&path).expect("read"), "<svg></svg>");
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    for path in [folder.path().join("missing").join("picture.svg"), folder.path().join("..")] {
        let error = write(&path, "<svg/>").expect_err("nowhere to write").to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
    // A folder in the way: the temporary file must not stay behind.
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).expect("a folder");
    write(&taken, "<svg/>").expect_err("a folder is in the way");
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
}
