#!/bin/bash
# A library for game trees gives a game without moves where it could not read the moves, and raises no
# error.
#
# Guess 209: a game of Chess960 is an error for @jackstenglein/chess.
# Seen:      the constructor prints the error of the first move on standard error and gives a game of 0
#            moves in the initial position; a program sees nothing of it. chessops, kokopu and cm-chess read
#            the game.
# Versions:  npm @jackstenglein/chess 2.2.21, chessops 0.15.1, kokopu 4.13.4, cm-chess 4.0.0.
# Source:    https://github.com/jackstenglein/chess (Chess.ts, constructor)
# Means:     the number of moves is to be compared with the tag PlyCount, which Plumb writes, or a database
#            has empty games.
. "$(dirname "$0")/common.sh"
npm_packages @jackstenglein/chess@2.2.21 chessops@0.15.1 kokopu@4.13.4 cm-chess@4.0.0
cat > game.mjs <<'NODE'
import { createRequire } from 'node:module';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { Chess as ChessShaack } from 'cm-chess/src/Chess.js';
const require = createRequire(import.meta.url);
const text = '[Event "x"]\n[Result "1-0"]\n[Variant "Chess960"]\n[SetUp "1"]\n'
    + '[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1"]\n\n1. O-O O-O-O 1-0\n';
const game = parsePgn(text)[0], position = startingPosition(game.headers).unwrap();
let legal = 0;
for (const { san } of game.moves.mainline()) {
    const move = parseSan(position, san);
    if (!move) break;
    position.play(move);
    legal++;
}
console.log('chessops', legal);
console.log('kokopu', [...require('kokopu').pgnRead(text).games()].map(read => [...read.nodes()].length)[0]);
console.log('cm-chess', new ChessShaack({ pgn: text }).history().length);
try {
    console.log('jackstenglein', new (require('@jackstenglein/chess').Chess)({ pgn: text }).history().length);
} catch (error) {
    console.log('jackstenglein', 'error');
}
NODE
node game.mjs > game.txt 2> messages.txt
of() { sed -n "s/^$1 //p" game.txt; }
same 'chessops, moves' "$(of chessops)" 2
same 'kokopu, moves' "$(of kokopu)" 2
same 'cm-chess, moves' "$(of cm-chess)" 2
same '@jackstenglein/chess, moves' "$(of jackstenglein)" 0
same 'its message' "$(grep -m 1 -o 'Invalid move: O-O' messages.txt)" 'Invalid move: O-O'
finish
