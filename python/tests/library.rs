//! What the Python package promises of every operation, as far as Rust can say it: the package itself is tested by
//! `python/tests/*.py`. That this test depends on the library makes cargo build it.

use errare_lab::OPERATIONS;

/// Methods and fields of Python objects are named as operations and JSON fields are.
#[test]
fn every_operation_has_a_name_that_python_can_have() {
    for info in OPERATIONS {
        let name = info.name.replace('-', "_");
        assert!(name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'), "{name}");
        for schema in [(info.request_schema)(), (info.response_schema)()] {
            let schema = schema.to_value();
            for field in schema["properties"].as_object().into_iter().flatten().map(|(field, _)| field) {
                assert!(field.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'), "{name}: {field}");
            }
        }
    }
}
