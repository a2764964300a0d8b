//! All statements come to what they came to before.

#[test]
#[ignore = "builds five-man tables: a quarter of an hour on two processors"]
fn no_statement_has_moved() {
    crate::support::check(&errare_reproduce::items().expect("the list"));
}
