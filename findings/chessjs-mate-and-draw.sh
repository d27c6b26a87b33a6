#!/bin/bash
# In chess.js a mate on the hundredth half-move without capture or pawn move is a mate and a draw at the
# same time.
#
# Guess 71: `isDraw()` is false then. Guess 102: cm-chess does as chess.js.
# Seen:     `isCheckmate()`, `isDraw()` and `isDrawByFiftyMoves()` are true together; cm-chess likewise
#           (`inCheckmate`, `inDraw`). chessops and python-chess say mate alone.
# Versions: npm chess.js 1.4.0, cm-chess 4.0.0, chessops 0.15.1; PyPI chess 1.11.2.
# Source:   https://github.com/jhlywa/chess.js (src/chess.ts, isDraw does not ask for mate); FIDE Laws 5.1.1
#           (mate ends the game at once), 9.3
# Means:    a match page that asks `isDraw()` first scores a win as a draw. Ask for mate first; PGN of such
#           pages may have a drawn game that ends in mate.
. "$(dirname "$0")/common.sh"
npm_packages chess.js@1.4.0 cm-chess@4.0.0 chessops@0.15.1
pip_packages venv chess==1.11.2
cat > mate.mjs <<'NODE'
import { Chess } from 'chess.js';
import { Chess as ChessShaack } from 'cm-chess/src/Chess.js';
import { Chess as Chessops } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
const fen = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80';
const js = new Chess(fen);
js.move('Ra8#');
console.log('chess.js', js.isCheckmate(), js.isDraw(), js.isDrawByFiftyMoves());
const cm = new ChessShaack(fen);
cm.move('Ra8#');
console.log('cm-chess', cm.inCheckmate(), cm.inDraw());
const ops = Chessops.fromSetup(parseFen(fen).unwrap()).unwrap();
ops.play({ from: 0, to: 56 });
console.log('chessops', ops.isCheckmate(), ops.outcome().winner);
NODE
node mate.mjs > mate.txt 2> warnings.txt
venv/bin/python - >> mate.txt <<'PYTHON'
import chess
board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80")
board.push_san("Ra8#")
print("python-chess", board.outcome().termination.name, board.result())
PYTHON
of() { sed -n "s/^$1 //p" mate.txt; }
same 'chess.js: mate, draw, fifty moves' "$(of chess.js)" 'true true true'
same 'cm-chess: mate, draw' "$(of cm-chess)" 'true true'
same 'chessops: mate, winner' "$(of chessops)" 'true white'
same 'python-chess' "$(of python-chess)" 'CHECKMATE 1-0'
finish
