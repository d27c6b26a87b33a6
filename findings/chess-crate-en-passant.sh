#!/bin/bash
# The Rust crate chess writes the square of the pawn where a FEN has the square behind it; python-chess and
# chessops read that and lose the capture, others refuse it.
#
# Guess 52: d6 after 1 e4 a6 2 e5 d5 (and 29, for the Python package rust-chess, which is built on the
#           crate).
# Guess 95: python-chess raises an error. Guess 98: chessops refuses.
# Seen:     `w KQkq d5`. python-chess takes d5 for the square: no error, `e5d6` is not legal, `is_valid()`
#           is false. chessops keeps d5. shakmaty, chess.js, kokopu and Stockfish 19 refuse it.
# Versions: crate chess 3.2.0, PyPI rust-chess 0.4.3, python-chess 1.11.2, npm chessops 0.15.1 and chess.js
#           1.4.0.
# Source:   https://github.com/jordanbray/chess/issues/83 (open since 2023)
# Means:    positions from programs on this crate are to be read with both squares. Plumb reads d5 as d6.
. "$(dirname "$0")/common.sh"
crate_program 'chess = "=3.2.0"' <<'RUST'
use std::str::FromStr;
fn main() {
    let mut board = chess::Board::default();
    for word in ["e2e4", "a7a6", "e4e5", "d7d5"] {
        board = board.make_move_new(chess::ChessMove::from_str(word).unwrap());
    }
    println!("{board}");
}
RUST
pip_packages venv rust-chess==0.4.3 chess==1.11.2
npm_packages chessops@0.15.1 chess.js@1.4.0
fen=$(./target/debug/found)
cat > read.py <<'PYTHON'
import sys
import chess
import rust_chess

board = rust_chess.Board()
for word in "e2e4 a7a6 e4e5 d7d5".split():
    board.make_move(rust_chess.Move.from_uci(word))
print("rust-chess", board.get_fen().split()[3])
board = chess.Board(sys.argv[1])
capture = chess.Move.from_uci("e5d6")
print("python-chess", chess.square_name(board.ep_square), capture in board.legal_moves, board.is_valid())
PYTHON
venv/bin/python read.py "$fen" > read.txt
cat > read.mjs <<'NODE'
import { parseFen, makeFen } from 'chessops/fen';
import { Chess } from 'chess.js';
const fen = process.argv[2];
const setup = parseFen(fen);
console.log('chessops', setup.isOk ? makeFen(setup.value).split(' ')[3] : 'refused');
try {
    console.log('chess.js', new Chess(fen).fen());
} catch (error) {
    console.log('chess.js', error.message);
}
NODE
node read.mjs "$fen" >> read.txt
of() { sed -n "s/^$1 //p" read.txt; }
same 'crate chess' "$fen" 'rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d5 0 1'
same 'rust-chess' "$(of rust-chess)" d5
same 'python-chess: square, e5d6 legal, valid' "$(of python-chess)" 'd5 False False'
same 'chessops' "$(of chessops)" d5
same 'chess.js' "$(of chess.js)" 'Invalid FEN: en-passant square is invalid'
finish
