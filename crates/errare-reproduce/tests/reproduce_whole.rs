//! All statements come to what they came to before.

use errare_reproduce::{Item, items};

fn statements(six_men: bool) -> Vec<Item> {
    items().expect("the list").into_iter().filter(|item| item.needs_six_men == six_men).collect()
}

#[test]
#[ignore = "builds five-man tables: a quarter of an hour on two processors"]
fn no_statement_has_moved() {
    crate::support::check("whole", &statements(false));
}

#[test]
#[ignore = "builds some thirty six-man tables, 40 GB: `make test-six-men`"]
fn no_statement_on_six_men_has_moved() {
    crate::support::check("six-men", &statements(true));
}
