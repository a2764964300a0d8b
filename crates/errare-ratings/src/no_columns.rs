//! Stands in for Parquet in a build without the feature `parquet`: every file is refused by name.

use crate::error::RatingsError;
use crate::row::TurnRow;
use std::convert::Infallible;
use std::fs::File;
use std::io::Write;
use std::marker::PhantomData;

/// Rows of a Parquet file, of which there are none.
pub struct ParquetRows(Infallible);

impl ParquetRows {
    pub fn new(_: File) -> Result<ParquetRows, RatingsError> {
        Err(RatingsError::NoParquet)
    }

    pub fn row(&self) -> u64 {
        match self.0 {}
    }

    pub fn unchecked(&self) -> u64 {
        match self.0 {}
    }
}

impl Iterator for ParquetRows {
    type Item = Result<TurnRow, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.0 {}
    }
}

/// A Parquet file in the making, of which there is none.
pub struct ParquetWriter<W>(Infallible, PhantomData<W>);

impl<W: Write + Send> ParquetWriter<W> {
    pub fn new(_: W) -> Result<ParquetWriter<W>, RatingsError> {
        Err(RatingsError::NoParquet)
    }

    pub fn write(&mut self, _: TurnRow) -> Result<(), RatingsError> {
        match self.0 {}
    }

    pub fn finish(self) -> Result<W, RatingsError> {
        match self.0 {}
    }
}
