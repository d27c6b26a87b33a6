//! Mate search: proof-number search (df-pn) for mates beside the alpha-beta search, and lines that end in
//! mate.
//!
//! | file | content |
//! |---|---|
//! | [`prover`] | df-pn: proves a mate and its exact length |
//! | [`mod@line`] | mating lines: all moves of an announced mate |
//! | [`mate_search`] | state of the mate search at one root |
//! | [`budget`] | when mates are searched for, and the share of the moves that this may take |

mod budget;
pub(super) mod line;
pub(super) mod mate_search;
pub(super) mod prover;
