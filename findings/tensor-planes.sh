#!/bin/bash
# Three libraries that give a position as planes of 8 by 8 for a network have three layouts; a network of
# one reads those of another without an error.
#
# Guess 423: spooky-chess gives planes from the side to move's point of view. Guess 424: row 0 is rank 1 in
#            fastchess.
# Guess 425: row 0 is rank 8 in tensor-chess.
# Seen:      with Black to move, king e8, against king e1 and pawn d2: fastchess (PyPI) has the mover's
#            pieces first and turns the board over, row 0 is the far side; spooky-chess has the mover's
#            pieces first and does not turn the board, row 0 is rank 1; tensor-chess has White's pieces
#            first always, row 0 is rank 1.
# Versions:  PyPI fastchess 0.1.2 (not the match runner), spooky-chess 1.1.0, tensor-chess 0.1.2.
# Source:    the packages' documentation of to_tensor and encode_game_planes
# Means:     before positions of one library go into a network of another, one position with Black to move
#            is to be looked at; with White to move two of the three agree, with Black another two. A pawn
#            that runs the wrong way is learned, only badly.
. "$(dirname "$0")/common.sh"
pip_packages venv fastchess==0.1.2 spooky-chess==1.1.0 tensor-chess==0.1.2 numpy==2.4.6
cat > planes.py <<'PYTHON'
import fastchess
import numpy
import spooky_chess
import tensor_chess


def pieces(planes):
    planes = numpy.asarray(planes).reshape(-1, 8, 8)[:12]
    squares = numpy.argwhere(planes)
    return " ".join(f"plane {plane} row {row} column {column}" for plane, row, column in squares)


def spooky(fen):
    encoded = spooky_chess.Game(8, 8, fen, True).encode_game_planes()
    parts = encoded if isinstance(encoded, tuple) else [encoded]
    return next(part for part in map(numpy.asarray, parts) if part.size > 64)


for side in "wb":
    fen = f"4k3/8/8/8/8/8/3P4/4K3 {side} - - 0 1"
    print(f"fastchess-{side}", pieces(fastchess.Board(fen).to_tensor()))
    print(f"spooky-{side}", pieces(spooky(fen)))
    tensor = tensor_chess.Position(fen).to_tensor()
    print(f"tensor-{side}", pieces(numpy.frombuffer(tensor, dtype=numpy.uint8)))
PYTHON
venv/bin/python planes.py > planes.txt
of() { sed -n "s/^$1 //p" planes.txt; }
low='plane 0 row 1 column 3 plane 5 row 0 column 4 plane 11 row 7 column 4'
same 'White to move: fastchess' "$(of fastchess-w)" \
    'plane 0 row 6 column 3 plane 5 row 7 column 4 plane 11 row 0 column 4'
same 'White to move: spooky-chess' "$(of spooky-w)" "$low"
same 'White to move: tensor-chess' "$(of tensor-w)" "$low"
same 'Black to move: fastchess' "$(of fastchess-b)" \
    'plane 5 row 7 column 4 plane 6 row 1 column 3 plane 11 row 0 column 4'
same 'Black to move: spooky-chess' "$(of spooky-b)" \
    'plane 5 row 7 column 4 plane 6 row 1 column 3 plane 11 row 0 column 4'
same 'Black to move: tensor-chess' "$(of tensor-b)" "$low"
finish
