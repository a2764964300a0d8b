//! Tables stay small: no DTM table takes more bytes than Gaviota's.

use crate::support::facts::{number, rows};
use crate::support::tables::table;
use errare_tables::{Material, Metric};

#[test]
fn no_table_takes_more_bytes_than_gaviotas() {
    let published = rows::<2>(include_str!("data/gaviota_sizes.csv"));
    assert_eq!(published.len(), 24);
    for [endgame, bytes] in published {
        let material: Material = endgame.parse().expect("an endgame");
        let ours = table(material, Metric::Dtm).file_len();
        assert!(ours <= number::<u64>(bytes), "{endgame}: {ours} bytes, Gaviota {bytes}");
    }
}
