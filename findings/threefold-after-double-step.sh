#!/bin/bash
# A threefold repetition that begins with a double step of a pawn is missed by two libraries, and by
# chess.js if the capture is illegal by a pin; a third library sees no repetition at all.
#
# Guess 268: cm-chess sees it. Guess 271: owlchess sees it. Guess 254: chess.js compares FENs without their
#            counters.
# Seen:      after 1 e4 Nf6 2 Nc3 Ng8 3 Nb1 Nf6 4 Nc3 Ng8 5 Nb1 the position stands for the third time; no
#            pawn can take on e3. cm-chess and owlchess have e3 in the position and see none; chess.js,
#            python-chess and rust-chess see it. `is_threefold_repetition` of rschess is false, as it is
#            where knights alone go to and fro. With a black pawn on e4 that is pinned along its rank,
#            chess.js misses it as well, although its FENs are the same. Without a double step the others
#            see a repetition.
# Versions:  npm chess.js 1.4.0, cm-chess 4.0.0; crates owlchess 0.4.1, rschess 2.0.5; PyPI chess 1.11.2.
# Source:    FIDE Laws 9.2.3 (positions are the same if the possible moves are),
#            https://github.com/jhlywa/chess.js, https://github.com/shaack/cm-chess
# Means:     games end some plies later than a tester that follows the Laws would end them; a referee made
#            of these libraries and an engine that claims disagree.
. "$(dirname "$0")/common.sh"
npm_packages chess.js@1.4.0 cm-chess@4.0.0
pip_packages venv chess==1.11.2
crate_program 'owlchess = "=0.4.1"' 'rschess = "=2.0.5"' <<'RUST'
use owlchess::{moves::uci::Move, MoveChain};
use std::str::FromStr;
fn main() {
    let plain = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let step = "e2e4 g8f6 b1c3 f6g8 c3b1 g8f6 b1c3 f6g8 c3b1";
    for (name, line) in [("plain", plain), ("step", step)] {
        let (mut chain, mut board) = (MoveChain::new_initial(), rschess::Board::default());
        for word in line.split(' ') {
            chain.push(Move::from_str(word).unwrap()).unwrap();
            board.make_move_uci(word).unwrap();
        }
        println!("owlchess-{name} {}", chain.calc_outcome().is_some());
        println!("rschess-{name} {}", board.is_threefold_repetition());
    }
}
RUST
./target/debug/found > seen.txt
cat > repetition.mjs <<'NODE'
import { Chess } from 'chess.js';
import { Chess as ChessShaack } from 'cm-chess/src/Chess.js';
const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const lines = {
    plain: [start, 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8'],
    step: [start, 'e4 Nf6 Nc3 Ng8 Nb1 Nf6 Nc3 Ng8 Nb1'],
    pin: ['8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1', 'd4 Kb4 Kc1 Ka4 Kd1 Kb4 Kc1 Ka4 Kd1'],
};
for (const [name, [fen, line]] of Object.entries(lines)) {
    const js = new Chess(fen), cm = new ChessShaack(fen), fens = [];
    for (const move of line.split(' ')) {
        js.move(move);
        cm.move(move);
        fens.push(js.fen().split(' ').slice(0, 4).join(' '));
    }
    console.log(`chess.js-${name}`, js.isThreefoldRepetition());
    console.log(`cm-chess-${name}`, cm.inThreefoldRepetition());
    console.log(`fens-${name}`, fens.filter(seen => seen === fens.at(-1)).length);
}
NODE
node repetition.mjs >> seen.txt 2> warnings.txt
venv/bin/python - >> seen.txt <<'PYTHON'
import chess
for name, fen, line in [("step", chess.STARTING_FEN, "e4 Nf6 Nc3 Ng8 Nb1 Nf6 Nc3 Ng8 Nb1"),
                        ("pin", "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1", "d4 Kb4 Kc1 Ka4 Kd1 Kb4 Kc1 Ka4 Kd1")]:
    board = chess.Board(fen)
    for move in line.split():
        board.push_san(move)
    print(f"python-chess-{name}", board.is_repetition(3))
PYTHON
of() { sed -n "s/^$1 //p" seen.txt; }
for name in chess.js cm-chess owlchess; do
    same "$name, no double step" "$(of $name-plain)" true
done
same 'rschess, no double step' "$(of rschess-plain)" false
same 'python-chess, double step' "$(of python-chess-step)" True
same 'chess.js, double step' "$(of chess.js-step)" true
for name in cm-chess owlchess rschess; do
    same "$name, double step" "$(of $name-step)" false
done
same 'python-chess, pinned pawn' "$(of python-chess-pin)" True
same 'chess.js, pinned pawn' "$(of chess.js-pin)" false
same 'equal FENs of chess.js, pinned pawn' "$(of fens-pin)" 3
finish
