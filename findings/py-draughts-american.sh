#!/bin/bash
# Two packages of one import name play two games under the name of American checkers.
#
# Guess 129: `AmericanBoard` of py-draughts has 7, 49, 302, 1469, 7361, 36768 positions at plies 1 to 6, as
#            every program for English draughts. Guess 130: Black begins. Guess 131: draw after 80
#            half-moves.
# Seen:      py-draughts: captures are optional (7, 49, 379, 2872, ...), White begins, and 40 half-moves
#            without a capture or promotion are a draw. pydraughts, `Board('english')`: 302, 1469, ...,
#            Black begins. Both are imported as `draughts`, so that the one installed last counts.
# Versions:  PyPI py-draughts 1.10.1, pydraughts 0.6.7.
# Source:    https://github.com/miskibin/py-draughts (draughts/boards/american.py), the rules of the World
#            Checkers Draughts Federation (captures are compulsory)
# Means:     a perft of a draughts engine is to be compared with a package whose rules are known; a wrong
#            count may be the package's rule. For the checkers of Plumb pydraughts is the reference.
. "$(dirname "$0")/common.sh"
pip_packages optional py-draughts==1.10.1
pip_packages compulsory pydraughts==0.6.7
cat > optional.py <<'PYTHON'
from draughts import AmericanBoard


def perft(board, depth):
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


print("perft", " ".join(str(perft(AmericanBoard(), depth)) for depth in range(1, 5)))
print("begins", AmericanBoard().turn.name)
board = AmericanBoard.from_fen("W:WK32:BK1")
plies = 0
for _ in range(100):
    if board.game_over:
        break
    # Kings walk apart from each other, over squares that vary, so that no position occurs three times.
    quiet = [move for move in board.legal_moves if not move.captured_list]
    board.push(quiet[plies // 7 % len(quiet)])
    plies += 1
print("draw", board.halfmove_clock, board.result)
PYTHON
cat > compulsory.py <<'PYTHON'
import draughts


def perft(board, depth):
    moves = board.legal_moves()
    moves = moves[0] if isinstance(moves, tuple) else moves
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


print("perft", " ".join(str(perft(draughts.Board("english"), depth)) for depth in range(1, 5)))
print("begins", draughts.Board("english").fen[0])
PYTHON
optional/bin/python optional.py > optional.txt
compulsory/bin/python compulsory.py > compulsory.txt
same 'py-draughts, plies 1 to 4' "$(sed -n 's/^perft //p' optional.txt)" '7 49 379 2872'
same 'py-draughts begins' "$(sed -n 's/^begins //p' optional.txt)" WHITE
same 'py-draughts, half-moves to the draw' "$(sed -n 's/^draw //p' optional.txt)" '40 1/2-1/2'
same 'pydraughts, plies 1 to 4' "$(sed -n 's/^perft //p' compulsory.txt)" '7 49 302 1469'
same 'pydraughts begins' "$(sed -n 's/^begins //p' compulsory.txt)" B
finish
