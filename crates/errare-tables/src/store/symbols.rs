//! The symbols of a solved endgame, which tables are made of.

use crate::decided::{Decided, Reading};
use crate::error::TableError;
use crate::layout::Layout;
use crate::legality::legal;
use crate::value::Value;
use crate::words::Bits;
use shakmaty::Color;
use std::collections::{HashMap, HashSet};

/// A number that stands in place of a symbol where any symbol will do.
pub const ANY: u16 = u16::MAX;

/// The values of a table, numbered as symbols.
pub struct Symbols {
    pub values: Vec<Value>,
    numbers: HashMap<Value, u16>,
}

impl Symbols {
    /// Numbers the values of a table.
    ///
    /// # Errors
    /// If they are too many.
    pub fn new(values: impl Iterator<Item = Value>) -> Result<Symbols, TableError> {
        // Neighbouring depths get neighbouring numbers, and the draw is 0.
        let found: HashSet<Value> = values.collect();
        let mut values: Vec<Value> = found.into_iter().collect();
        values.sort_by_key(|value| (value.outcome, value.plies, value.phase));
        values.insert(0, Value::DRAW);
        if values.len() > usize::from(ANY) {
            return Err(TableError::Internal("a table has more values than a symbol can number"));
        }
        let numbers = values.iter().enumerate().map(|(number, &value)| (value, number as u16)).collect();
        Ok(Symbols { values, numbers })
    }
}

/// The symbols of a solved endgame, slice by slice.
pub struct SymbolSource<'a> {
    pub layout: &'a Layout,
    pub decided: &'a Decided,
    pub symbols: &'a Symbols,
}

impl SymbolSource<'_> {
    /// Fills a buffer with the symbols of a slice, and [`ANY`] for cells that are not legal positions or whose position
    /// is stored in another cell.
    ///
    /// # Errors
    /// If the table without the move rule is damaged.
    pub fn fill(
        &self,
        turn: Color,
        slice: usize,
        reading: &mut Reading,
        buffer: &mut Vec<u16>,
    ) -> Result<(), TableError> {
        let layout = self.layout;
        buffer.clear();
        buffer.resize(layout.words() * 64, 0);
        let mut last = (Value::DRAW, 0);
        let mut is_known = true;
        self.decided.visit(layout, turn, slice, reading, |value, word, bits| {
            if value != last.0 {
                let symbol = self.symbols.numbers.get(&value).copied();
                is_known &= symbol.is_some();
                last = (value, symbol.unwrap_or(0));
            }
            let row = &mut buffer[word * 64..word * 64 + 64];
            Bits(bits).for_each(|bit| row[bit as usize] = last.1);
        })?;
        if !is_known {
            return Err(TableError::Internal("a table holds a value that has no number"));
        }
        for (word, row) in buffer.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let broken = !(legal(layout, slice, turn, word) & layout.leading_bits(word));
            Bits(broken).for_each(|bit| row[usize::from(bit)] = ANY);
        }
        Ok(())
    }
}
