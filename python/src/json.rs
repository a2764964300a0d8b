//! Python objects as JSON values.

use crate::errors::wrong_request;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// The greatest depth of nested lists and dictionaries in a request; no request has more than a few.
const MAX_DEPTH: usize = 64;

/// The JSON value that a Python object is: None, a truth value, a number, a text, a list, a tuple or a dictionary.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(object, 0)
}

fn read(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let py = object.py();
    if depth > MAX_DEPTH {
        return Err(wrong_request(py, format!("the request is nested more than {MAX_DEPTH} deep")));
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    // A truth value is an integer to Python, so it comes first.
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        let whole = object.extract::<i64>().map(Number::from).or_else(|_| object.extract::<u64>().map(Number::from));
        return whole.map(Value::Number).map_err(|_| wrong_request(py, "an integer has more than 64 bits".to_owned()));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        return number.map(Value::Number).ok_or_else(|| wrong_request(py, "a number is not finite".to_owned()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_str().map_err(|_| wrong_request(py, "a text is not valid Unicode".to_owned()))?;
        return Ok(Value::String(text.to_owned()));
    }
    if let Ok(list) = object.cast::<PyList>() {
        return list.iter().map(|item| read(&item, depth + 1)).collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return tuple.iter().map(|item| read(&item, depth + 1)).collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut fields = Map::new();
        for (key, item) in dict.iter() {
            let Value::String(key) = read(&key, depth + 1)? else {
                return Err(wrong_request(py, "the keys of a dictionary are not all texts".to_owned()));
            };
            fields.insert(key, read(&item, depth + 1)?);
        }
        return Ok(Value::Object(fields));
    }
    let name = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    Err(wrong_request(py, format!("a request cannot hold an object of type `{name}`")))
}
