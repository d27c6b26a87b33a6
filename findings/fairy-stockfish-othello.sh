#!/bin/bash
# Fairy-Stockfish plays Othello; its notation differs from that of Othello programs in colour, orientation
# and pass.
#
# Guess 20:  there is no Othello among its variants.
# Guess 120: Black begins. Guess 121: a pass is `0000`.
# Seen:      `flipello` is Othello (4, 12, 56, 244, 1396 positions by ply). White begins; the first player
#            has e5 and d4, so that its first moves are c5, d6, e3, f4 (in Othello c4, d3, e6, f5 or their
#            mirror). A disc is put by `P@c5`. A pass is a move of a disc from a square to itself (`a1a1`,
#            `b1b1`, ...), the square varies. A game that ends with empty squares is scored by the discs on
#            the board.
# Versions:  PyPI pyffish 0.0.90.
# Source:    https://github.com/fairy-stockfish/Fairy-Stockfish (src/variant.cpp, flipello)
# Means:     a real opponent and a second judge of rules for Othello engines, behind a translation: exchange
#            the colours, mirror the ranks, and take every move of equal squares for a pass.
. "$(dirname "$0")/common.sh"
pip_packages venv pyffish==0.0.90
cat > othello.py <<'PYTHON'
import random
import pyffish as fairy

start = fairy.start_fen("flipello")


def moves(line):
    return fairy.legal_moves("flipello", start, line)


def perft(line, depth):
    return len(moves(line)) if depth == 1 else sum(perft(line + [m], depth - 1) for m in moves(line))


print("variant", "flipello" in fairy.variants())
print("first", start.split()[1])
print("moves", " ".join(sorted(moves([]))))
print("perft", " ".join(str(perft([], depth)) for depth in range(1, 6)))
random.seed(5)
passes, wrong, games = set(), 0, 150
for _ in range(games):
    line = []
    while not fairy.is_immediate_game_end("flipello", start, line)[0] and moves(line):
        line.append(random.choice(moves(line)))
        if "@" not in line[-1]:
            passes.add(line[-1][:2] == line[-1][2:])
    fen = fairy.get_fen("flipello", start, line)
    board, side = fen.split("[")[0], fen.split()[1]
    lead = board.count("P") - board.count("p")
    result = fairy.is_immediate_game_end("flipello", start, line)[1]
    result = result if side == "w" else -result
    wrong += (result > 0) - (result < 0) != (lead > 0) - (lead < 0)
print("passes", passes)
print("results", f"{games - wrong} of {games}")
PYTHON
venv/bin/python othello.py > othello.txt
of() { sed -n "s/^$1 //p" othello.txt; }
same 'flipello is a variant' "$(of variant)" True
same 'side that begins' "$(of first)" w
same 'its moves' "$(of moves)" 'P@c5 P@d6 P@e3 P@f4'
same 'positions at plies 1 to 5' "$(of perft)" '4 12 56 244 1396'
same 'a pass has two equal squares' "$(of passes)" '{True}'
same 'results that agree with the discs' "$(of results)" '150 of 150'
finish
