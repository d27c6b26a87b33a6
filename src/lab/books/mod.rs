//! Opening books and endgame tablebases on the command line.
//!
//! | file | what it does |
//! |---|---|
//! | [`book`] | `plumb book`: makes, shows and merges opening books |
//! | [`builder`] | writing books in the Polyglot format |
//! | [`syzygy`] | `plumb syzygy`: what endgame tablebases say of positions |

pub mod book;
pub mod builder;
pub mod syzygy;
