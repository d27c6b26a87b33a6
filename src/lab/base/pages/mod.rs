//! Tables, charts and boards: numbers as Markdown, SVG and HTML.
//!
//! | file | what it does |
//! |---|---|
//! | [`table`] | plain-text tables that are Markdown as well |
//! | [`page_frame`] | the frame of an HTML page: document, style sheet, tables |
//! | [`chart`], [`axis`], [`svg`] | the data of a chart, its axes, its drawing |
//! | [`board`] | a chess board |
//! | [`links`] | addresses at other sites |
//!
//! Nothing here knows an experiment, a suite or a search.

pub mod axis;
pub mod board;
pub mod chart;
pub mod links;
pub mod page_frame;
pub mod svg;
pub mod table;
