//! Mate search: proof-number search for mates beside the ordinary search, and the lines that announce them.
//!
//! | file | what it does |
//! |---|---|
//! | [`prover`] | df-pn: proves a mate and its exact length |
//! | [`line`] | from the announcement of a mate to the moves that give it |
//! | [`budget`] | when mates are looked for, and what that may cost |

pub(super) mod budget;
pub(super) mod line;
pub(super) mod prover;
