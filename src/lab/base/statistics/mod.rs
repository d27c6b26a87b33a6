//! Statistics: bootstrap intervals of ratios, the sign test, Elo and the sequential probability ratio test
//! (SPRT), ratings of several players.
//!
//! | file | what it does |
//! |---|---|
//! | [`ratios`] | ratios of totals and geometric means, with bootstrap intervals |
//! | [`sign_test`] | difference of two contenders on the same tasks |
//! | [`elo`] | Elo from pairs of games, and the SPRT |
//! | [`ratings`] | ratings of several players from all their games |
//! | [`logistic`] | logistic regression of results on scores, and Adam |
//! | [`correlation`] | Pearson's correlation |
//!
//! All are functions of numbers: nothing here knows a search, a file or a page.

pub mod correlation;
pub mod elo;
pub mod logistic;
pub mod ratings;
pub mod ratios;
pub mod sign_test;
