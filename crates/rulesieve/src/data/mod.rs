//! From a table as read to numbers a method can learn from.

pub mod table;

pub use table::{Column, ColumnData, Table, TableError, TextColumn};
