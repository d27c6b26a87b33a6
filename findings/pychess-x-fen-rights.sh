#!/bin/bash
# PyChess reads the X-FEN rights `KQkq` of Chess960 as rooks on wrong files where the first rank has empty
# squares before the rook; the FEN that it sends to engines then names rooks that are not there.
#
# Guess 570: of the 960 starts, those whose king's rook is not on h are read wrong. Guess 567: Stockfish drops
#            a right without its rook.
# Seen:      all starts are right. The file is the place of the letter in the text of the rank, where a digit
#            counts as one square: `1R2K1R1` has the rights `FBfb`, `R3K2R` has `EAea`. `GBgb` is kept. In
#            the first position castling short is not among the moves. Stockfish 15.1 keeps `FBfb`,
#            chessops too; python-chess keeps the queen's side.
# Versions:  Debian pychess 1.0.3, stockfish 15.1; npm chessops 0.15.1; PyPI chess 1.11.2.
# Source:    https://github.com/pychess/pychess (LBoard.py, applyFen; UCIEngine.py sends `asFen()`)
# Means:     games of Chess960 that begin behind an opening are shown and analysed with lost rights where
#            their tag FEN has `KQkq`. Engines get a FEN with rights of no rook: Plumb leaves those out. The
#            letters of files (Shredder-FEN) are read right.
. "$(dirname "$0")/common.sh"
debian_packages pychess=1.0.3 stockfish=15.1
npm_packages chessops@0.15.1
pip_packages venv chess==1.11.2
cat > rights.py <<'PYTHON'
import itertools
import sys

sys.path.insert(0, "debian/usr/lib/python3/dist-packages")
from pychess.Utils.const import FISCHERRANDOMCHESS
from pychess.Utils.lutils.LBoard import LBoard
from pychess.Utils.lutils.lmove import toSAN
from pychess.Utils.lutils.lmovegen import genCastles


def board(rank, rights):
    read = LBoard(FISCHERRANDOMCHESS)
    read.applyFen(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w {rights} - 0 1")
    return read


def rights(rank, given="KQkq"):
    return board(rank, given).asFen().split()[2]


def letters(rank):
    files = "".join("abcdefgh"[place] for place in (rank.rindex("r"), rank.index("r")))
    return files.upper() + files


starts = {"".join(rank) for rank in itertools.permutations("rnbqkbnr")}
starts = [rank for rank in starts if rank.index("r") < rank.index("k") < rank.rindex("r")
          and (rank.index("b") + rank.rindex("b")) % 2]
print("starts", sum(rights(rank) == letters(rank) for rank in starts), "of", len(starts))
print("inner", rights("1r2k1r1"))
print("outer", rights("r3k2r"))
print("shredder", rights("1r2k1r1", "GBgb"))
for name, given in [("moves", "KQkq"), ("moves-shredder", "GBgb")]:
    read = board("1r2k1r1", given)
    print(name, *(toSAN(read, move) for move in genCastles(read)))
PYTHON
python3 rights.py > seen.txt
fen='1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w FBfb - 0 1'
venv/bin/python - "$fen" >> seen.txt <<'PYTHON'
import chess
import sys

print("python-chess", chess.Board(sys.argv[1], chess960=True).shredder_fen().split()[2])
PYTHON
cat > rights.mjs <<'NODE'
import { makeFen, parseFen } from 'chessops/fen';
console.log('chessops', makeFen(parseFen(process.argv[2]).unwrap()).split(' ')[2]);
NODE
node rights.mjs "$fen" >> seen.txt
printf 'setoption name UCI_Chess960 value true\nposition fen %s\nd\nquit\n' "$fen" \
    | debian/usr/games/stockfish | awk '$1 == "Fen:" { print "stockfish", $4 }' >> seen.txt
of() { sed -n "s/^$1 //p" seen.txt; }
same 'starts of Chess960 whose KQkq are read right' "$(of starts)" '960 of 960'
same 'KQkq of 1R2K1R1' "$(of inner)" FBfb
same 'KQkq of R3K2R' "$(of outer)" EAea
same 'GBgb of 1R2K1R1' "$(of shredder)" GBgb
same 'castling moves, KQkq of 1R2K1R1' "$(of moves)" 'O-O-O'
same 'castling moves, GBgb of 1R2K1R1' "$(of moves-shredder)" 'O-O O-O-O'
same 'FBfb in python-chess' "$(of python-chess)" Bb
same 'FBfb in chessops' "$(of chessops)" FQfq
same 'FBfb in Stockfish 15.1' "$(of stockfish)" FBfb
finish
