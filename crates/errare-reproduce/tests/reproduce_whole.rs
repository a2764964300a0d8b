//! All statements come to what they came to before.

mod support;

#[test]
#[ignore = "builds five-man tables: a quarter of an hour on two processors"]
fn no_statement_has_moved() {
    support::check(&errare_reproduce::items().expect("the list"));
}
