//! Arrow's C data and C stream interfaces: the layout of the structures, and who frees what.
//!
//! The specification is <https://arrow.apache.org/docs/format/CDataInterface.html> and, beside it, CStreamInterface.html. A
//! consumer may move a structure, and calls its `release` once; a structure is released when `release` is null.

use crate::columns::ColumnTable;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// A stream of one record batch.
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: what a stream points to is a `StreamState`, which may be sent, and nothing else points to it.
unsafe impl Send for Stream {}

struct StreamState {
    table: Arc<ColumnTable>,
    is_read: bool,
}

/// The flag of a column whose values may be missing.
const NULLABLE: i64 = 2;

impl Stream {
    /// The stream of a table.
    pub fn of(table: Arc<ColumnTable>) -> Stream {
        let state = Box::new(StreamState { table, is_read: false });
        Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(state).cast(),
        }
    }
}

/// A capsule that nobody has read from frees its stream; a consumer that has moved the stream has set `release` to null.
impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the stream is not released yet, as `release` is not null.
            unsafe { release(self) }
        }
    }
}

/// Writes the schema of a stream's table.
///
/// # Safety
/// `stream` must be one of ours that is not released, and `schema` must be writable.
unsafe extern "C" fn get_schema(stream: *mut Stream, schema: *mut Schema) -> c_int {
    // SAFETY: the caller's promise; the state is ours until the stream is released.
    let state = unsafe { &*(*stream).private_data.cast::<StreamState>() };
    // SAFETY: the caller's promise. What was there before is not to be dropped.
    unsafe { schema.write(table_schema(&state.table)) };
    0
}

/// Writes the next array of a stream: the table, and then the end.
///
/// # Safety
/// As [`get_schema`].
unsafe extern "C" fn get_next(stream: *mut Stream, array: *mut Array) -> c_int {
    // SAFETY: the caller's promise; a consumer does not call a stream from two threads at once.
    let state = unsafe { &mut *(*stream).private_data.cast::<StreamState>() };
    let next = if state.is_read { Array::END } else { table_array(&state.table) };
    state.is_read = true;
    // SAFETY: the caller's promise.
    unsafe { array.write(next) };
    0
}

/// Returns no error, since no call fails.
unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    null()
}

/// Frees the state of a stream.
///
/// # Safety
/// `stream` must be one of ours that is not released.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the caller's promise.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: the state was made by `Stream::of`, and is freed once.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<StreamState>()) });
    stream.private_data = null_mut();
}

/// The memory that a schema keeps alive.
struct SchemaParts {
    /// The table that owns the names of the columns.
    _table: Arc<ColumnTable>,
    children: Vec<*mut Schema>,
}

fn table_schema(table: &Arc<ColumnTable>) -> Schema {
    let column = |column: &crate::columns::Column| {
        let parts = SchemaParts { _table: Arc::clone(table), children: Vec::new() };
        Box::into_raw(Box::new(schema(column.format, column.name.as_ptr(), NULLABLE, parts)))
    };
    let children = table.columns.iter().map(column).collect();
    schema(c"+s", c"".as_ptr(), 0, SchemaParts { _table: Arc::clone(table), children })
}

fn schema(format: &'static CStr, name: *const c_char, flags: i64, parts: SchemaParts) -> Schema {
    let parts = Box::into_raw(Box::new(parts));
    // SAFETY: just made, and nobody else has it.
    let children = unsafe { &mut (*parts).children };
    Schema {
        format: format.as_ptr(),
        name,
        metadata: null(),
        flags,
        n_children: children.len() as i64,
        children: children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: parts.cast(),
    }
}

/// Frees the parts of a schema and of its children.
///
/// # Safety
/// `schema` must be one of ours that is not released.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the caller's promise.
    let schema = unsafe { &mut *schema };
    schema.release = None;
    // SAFETY: the parts were made by `schema`, and are freed once.
    let parts = unsafe { Box::from_raw(schema.private_data.cast::<SchemaParts>()) };
    for child in parts.children {
        // SAFETY: children were boxed by `table_schema`; a consumer that has moved one has set its `release` to null.
        let mut child = unsafe { Box::from_raw(child) };
        if let Some(release) = child.release {
            // SAFETY: not released yet.
            unsafe { release(&mut *child) }
        }
    }
    schema.private_data = null_mut();
}

/// The memory that an array keeps alive.
struct ArrayParts {
    /// The table that owns the values of the columns.
    _table: Arc<ColumnTable>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Array {
    /// The end of a stream: an array that is released.
    const END: Array = Array {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };
}

fn table_array(table: &Arc<ColumnTable>) -> Array {
    let column = |column: &crate::columns::Column| {
        // Without missing values there need be no validity.
        let address = |(place, buffer): (usize, &crate::columns::Buffer)| {
            if place == 0 && column.missing == 0 { null() } else { buffer.address().cast::<c_void>() }
        };
        let buffers = column.buffers.iter().enumerate().map(address).collect();
        let parts = ArrayParts { _table: Arc::clone(table), buffers, children: Vec::new() };
        Box::into_raw(Box::new(array(table.rows, column.missing, parts)))
    };
    let children = table.columns.iter().map(column).collect();
    array(table.rows, 0, ArrayParts { _table: Arc::clone(table), buffers: vec![null()], children })
}

fn array(rows: usize, missing: i64, parts: ArrayParts) -> Array {
    let parts = Box::into_raw(Box::new(parts));
    // SAFETY: just made, and nobody else has it.
    let ArrayParts { buffers, children, .. } = unsafe { &mut *parts };
    Array {
        length: rows as i64,
        null_count: missing,
        offset: 0,
        n_buffers: buffers.len() as i64,
        n_children: children.len() as i64,
        buffers: buffers.as_mut_ptr(),
        children: children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private_data: parts.cast(),
    }
}

/// Frees the parts of an array and of its children.
///
/// # Safety
/// `array` must be one of ours that is not released.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the caller's promise.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: the parts were made by `array`, and are freed once.
    let parts = unsafe { Box::from_raw(array.private_data.cast::<ArrayParts>()) };
    for child in parts.children {
        // SAFETY: children were boxed by `table_array`; a consumer that has moved one has set its `release` to null.
        let mut child = unsafe { Box::from_raw(child) };
        if let Some(release) = child.release {
            // SAFETY: not released yet.
            unsafe { release(&mut *child) }
        }
    }
    array.private_data = null_mut();
}
