//! The two-bound transposition table.

/// Why a table could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// The size asked for, in MiB.
    pub mebibytes: usize,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a table of {} MiB cannot be allocated", self.mebibytes)
    }
}

impl std::error::Error for TableError {}

/// The table (to be written).
pub struct Table {
    mebibytes: usize,
}

impl Table {
    /// A cleared table of `mebibytes` MiB.
    pub fn new(mebibytes: usize) -> Result<Table, TableError> {
        Ok(Table { mebibytes })
    }

    /// Its size in MiB.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Forgets every entry. Any thread may call it; a search that runs meanwhile merely loses its entries.
    pub fn clear(&self) {}
}
