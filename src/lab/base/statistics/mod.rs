//! Statistics: bootstrap intervals of ratios, the sign test, Elo and the sequential probability ratio test
//! (SPRT).
//!
//! | file | what it does |
//! |---|---|
//! | [`ratios`] | ratios of totals and geometric means, with bootstrap intervals |
//! | [`sign_test`] | difference of two contenders on the same tasks |
//! | [`elo`] | Elo from pairs of games, and the SPRT |
//! | [`logistic`] | logistic regression of results on scores, and Adam |
//! | [`correlation`] | Pearson's correlation |
//!
//! All are functions of numbers: nothing here knows a search, a file or a page.

pub mod correlation;
pub mod elo;
pub mod logistic;
pub mod ratios;
pub mod sign_test;
