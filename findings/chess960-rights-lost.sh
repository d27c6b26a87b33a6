#!/bin/bash
# Castling rights in the letters of Chess960 (Shredder-FEN) are dropped without an error by two crates.
#
# Guess 44: PyPI rust-chess (on the crate chess) refuses `HAha`. Guess 166: sfbinpack refuses it.
# Seen:     both read the position and have no castling right left; the crate rschess refuses, shakmaty
#           keeps them.
# Versions: crates chess 3.2.0, sfbinpack 0.6.5, rschess 2.0.5, shakmaty 0.30.0.
# Source:   https://github.com/jordanbray/chess, https://github.com/Disservin/binpack-rust (position.rs,
#           from_fen)
# Means:    training data of Chess960 or of a program that writes Shredder-FEN loses its castling in such a
#           converter. X-FEN (`KQkq` wherever that is clear) is read by more programs; Plumb writes it.
. "$(dirname "$0")/common.sh"
crate_program 'chess = "=3.2.0"' 'sfbinpack = "=0.6.5"' 'rschess = "=2.0.5"' 'shakmaty = "=0.30.0"' <<'RUST'
use shakmaty::{fen::Fen, CastlingMode, Chess, EnPassantMode};
use std::str::FromStr;
fn main() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    let rights = |text: String| text.split(' ').nth(2).unwrap().to_string();
    println!("chess {}", rights(chess::Board::from_str(fen).unwrap().to_string()));
    let position = sfbinpack::chess::position::Position::from_fen(fen).unwrap();
    println!("sfbinpack {}", rights(position.fen().unwrap()));
    println!("rschess {}", rschess::Fen::try_from(fen).map_or("refused".into(), |f| rights(f.to_string())));
    let position: Chess = Fen::from_str(fen).unwrap().into_position(CastlingMode::Chess960).unwrap();
    println!("shakmaty {}", rights(Fen::from_position(&position, EnPassantMode::Legal).to_string()));
}
RUST
./target/debug/found > rights.txt
of() { sed -n "s/^$1 //p" rights.txt; }
same 'crate chess' "$(of chess)" '-'
same 'sfbinpack' "$(of sfbinpack)" '-'
same 'rschess' "$(of rschess)" refused
same 'shakmaty' "$(of shakmaty)" KQkq
finish
