#!/bin/bash
# The Python package stockfish changed the sign of its evaluation between releases: of White in 3.28, of the
# side to move in 5.2.
#
# Guess 233: `get_evaluation` is of White. Guess 236: `get_wdl_stats` too.
# Seen:      5.2.0: both are of the side to move (an argument `turn_perspective`, true by default). 3.28.0:
#            the evaluation is of White and the win, draw and loss of the side to move.
# Versions:  PyPI stockfish 5.2.0 and 3.28.0 with Stockfish 15.1 of Debian.
# Source:    https://github.com/py-stockfish/stockfish/issues/33,
#            https://github.com/py-stockfish/stockfish/issues/18
# Means:     scripts that label positions (FEN | score of White | result) with it have the wrong sign in
#            every position with Black to move after an upgrade, and nothing fails. Labels are to be checked
#            on a position where Black is to move and White is a queen ahead. `plumb datagen export` writes
#            scores of White.
. "$(dirname "$0")/common.sh"
debian_packages stockfish=15.1
engine=$work/debian/usr/games/stockfish
pip_packages new stockfish==5.2.0
pip_packages old stockfish==3.28.0
cat > label.py <<'PYTHON'
import sys
from stockfish import Stockfish

engine = Stockfish(sys.argv[1], depth=8)
engine.set_fen_position("4k3/4p3/8/8/8/8/4Q3/4K3 b - - 0 1")
value = engine.get_evaluation()["value"]
won, _, lost = engine.get_wdl_stats()
side = "of White" if value > 300 else "of the side to move" if value < -300 else value
print("evaluation is", side, end=", ")
print("win, draw, loss is", "of White" if won > lost else "of the side to move")
PYTHON
same '5.2.0, Black to move' "$(new/bin/python label.py "$engine")" \
    'evaluation is of the side to move, win, draw, loss is of the side to move'
same '3.28.0, Black to move' "$(old/bin/python label.py "$engine")" \
    'evaluation is of White, win, draw, loss is of the side to move'
finish
