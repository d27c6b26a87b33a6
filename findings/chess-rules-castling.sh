#!/bin/bash
# A rules module of npm castles long over a piece on b1 or b8. Perft 3 from the start and perft 4 of a
# position without castling do not show it.
#
# Guess 551: perft 3 from the start agrees. Guess 552: perft 3 of Kiwipete differs, by underpromotions.
#            Guess 580: castling after the rook was taken is what is too many.
# Seen:      97,903 in place of 97,862; there is no promotion within these three plies. The 41 moves are all
#            castling long over a knight that went to b1. A promotion is one move there, so that counts with
#            promotions are too small.
# Versions:  npm chess-rules 1.1.0; PyPI chess 1.11.2.
# Source:    https://github.com/ChessCorp/chess-rules; https://www.chessprogramming.org/Perft_Results
# Means:     a count from the start is no test of a move generator. Games of such a program have castling
#            that readers call illegal: Plumb leaves the game out, and names the move.
. "$(dirname "$0")/common.sh"
npm_packages chess-rules@1.1.0
pip_packages venv chess==1.11.2
cat > perft.cjs <<'NODE'
const rules = require('chess-rules');
const square = index => 'abcdefgh'[index % 8] + (1 + (index >> 3));
const word = move => square(move.src) + square(move.dst);
const moves = fen => rules.getAvailableMoves(rules.fenToPosition(fen)).map(word);
function perft(position, depth) {
    const next = move => perft(rules.applyMove(position, move), depth - 1);
    return depth === 0 ? 1 : rules.getAvailableMoves(position).reduce((sum, move) => sum + next(move), 0);
}
const kiwipete = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
console.log('start', perft(rules.getInitialPosition(), 3));
console.log('plain', perft(rules.fenToPosition('8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'), 4));
console.log('kiwipete', perft(rules.fenToPosition(kiwipete), 3));
const castling = fen => moves(fen).filter(move => ['e1c1', 'e1g1', 'e8c8'].includes(move)).join(' ');
console.log('b1', castling('4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1'));
console.log('b8', castling('rn2k3/8/8/8/8/8/8/4K3 b q - 0 1'));
console.log('c1', castling('4k3/8/8/8/8/8/8/R1N1K3 w Q - 0 1'));
console.log('g1', castling('4k3/8/8/8/8/8/8/4K1NR w K - 0 1'));
console.log('promotion', moves('4k3/P7/8/8/8/8/8/4K3 w - - 0 1').filter(move => move === 'a7a8').length);
// Lines of Kiwipete that end with castling long, for python-chess.
for (const first of rules.getAvailableMoves(rules.fenToPosition(kiwipete))) {
    const behind = rules.applyMove(rules.fenToPosition(kiwipete), first);
    for (const second of rules.getAvailableMoves(behind)) {
        const last = rules.getAvailableMoves(rules.applyMove(behind, second)).map(word);
        console.log('line', word(first), word(second), last.join(' '));
    }
}
NODE
node perft.cjs > perft.txt
venv/bin/python - >> perft.txt <<'PYTHON'
import chess
from collections import Counter

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
extra = Counter()
for line in open("perft.txt"):
    if line.startswith("line "):
        _, first, second, *last = line.split()
        board = chess.Board(KIWIPETE)
        board.push_uci(first)
        board.push_uci(second)
        legal = {move.uci() for move in board.legal_moves}
        extra.update(f"{first} {move}" for move in last if move not in legal)
print("extra", *(f"{line}: {count}" for line, count in extra.items()))
PYTHON
of() { sed -n "s/^$1 //p" perft.txt; }
same 'perft 3 from the start (8902)' "$(of start)" 8902
same 'perft 4 of position 3 of the wiki (43238)' "$(of plain)" 43238
same 'perft 3 of Kiwipete (97862)' "$(of kiwipete)" 97903
same 'illegal moves there' "$(of extra)" 'c3b1 e1c1: 41'
same 'castling over b1' "$(of b1)" e1c1
same 'castling over b8' "$(of b8)" e8c8
same 'castling over c1' "$(of c1)" ''
same 'castling over g1' "$(of g1)" ''
same 'moves a7a8' "$(of promotion)" 1
finish
