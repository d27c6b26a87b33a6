//! Opening books and endgame tablebases on the command line.
//!
//! | file | what it does |
//! |---|---|
//! | [`book`] | `plumb book`: builds, shows and merges opening books |
//! | [`builder`] | writing books in the Polyglot format |
//! | [`syzygy`] | `plumb syzygy`: looks positions up in endgame tablebases |

pub mod arguments;
pub mod book;
pub mod builder;
pub mod syzygy;
