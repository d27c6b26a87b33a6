//! Archive of games: whole games with a score for every move, in a public binary format (viriformat), which
//! self-play, matches and imports write and tuning and training read. `plumb datagen --out` is such a file.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@format`] | games as bytes |
//! | [`store`] | the file of games: written in order, continued after an interruption |
//! | [`game_file`] | files of games of tournaments, tuning and imports |
//! | [`prefix_digests`] | checksums of a file of games, beside it |
//! | [`source`] | files of games, read as a stream; which positions are quiet |

pub mod format;
pub mod game_file;
pub mod prefix_digests;
pub mod source;
pub mod store;
