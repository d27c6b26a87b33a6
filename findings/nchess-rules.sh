#!/bin/bash
# A fast move generator with right perft counts has its draws reversed and writes a FEN that others refuse.
#
# Guess 22: FEN after 1 e4 with e3. Guess 31: K+B against K+B with bishops of one colour is no draw, or both
#           kinds are.
# Guess 37: K+N+N against K is no draw by insufficient material.
# Seen:     the field is `3`, the rank without its file. Bishops of different colours (a mate is possible)
#           are a draw, bishops of one colour (none is) are not; K+N+N against K is a draw. A threefold
#           repetition of the first position of the game comes a ply late, since that position is not
#           counted. Perft is right.
# Versions: PyPI nchess 1.3.1, compared with python-chess 1.11.2.
# Source:   https://github.com/MNourMoslem/NChess
# Means:    perft does not look at endings: a library for self-play is to be checked on results too. Games
#           that it ends may have a false result.
. "$(dirname "$0")/common.sh"
pip_packages venv nchess==1.3.1 numpy==2.4.6 chess==1.11.2
cat > rules.py <<'PYTHON'
import chess
import nchess

board = nchess.Board()
board.step("e2e4")
print("fen", board.fen())
try:
    chess.Board(board.fen())
    print("read", "yes")
except ValueError as error:
    print("read", error)
for name, fen in [("one", "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"), ("two", "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1"),
                  ("knights", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1")]:
    insufficient = nchess.Board(fen).is_insufficient_material
    insufficient = insufficient() if callable(insufficient) else insufficient
    print(name, insufficient, chess.Board(fen).is_insufficient_material())
board, reference, plies = nchess.Board(), chess.Board(), []
for ply, move in enumerate("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3".split(), 1):
    board.step(move)
    reference.push_uci(move)
    plies.append((board.get_game_state() != 0, reference.is_repetition(3)))
print("threefold", *(1 + [seen[library] for seen in plies].index(True) for library in (0, 1)))
PYTHON
venv/bin/python rules.py > rules.txt
of() { sed -n "s/^$1 //p" rules.txt; }
same 'FEN after 1 e4' "$(of fen)" 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq 3 0 1'
same 'python-chess' "$(of read | cut -d : -f 1)" 'invalid en passant part in fen'
same 'bishops of one colour: nchess, python-chess' "$(of one)" 'False True'
same 'bishops of different colours' "$(of two)" 'True False'
same 'two knights' "$(of knights)" 'True False'
same 'ply of the threefold repetition' "$(of threefold)" '9 8'
finish
