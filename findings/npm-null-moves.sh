#!/bin/bash
# Null moves between PGN libraries of npm: one writes what it cannot read, another turns `--` into `Z0`, a
# third reads `--` alone.
#
# Guess 73: chess.js reads `--`. Guess 94: its `move` refuses a null move already.
# Seen:     chess.js makes the move `--`, writes it, and `loadPgn` refuses that text. @jackstenglein/chess
#           reads both and writes `Z0`; @mliebelt/pgn-parser gives `Z0` for both; kokopu reads `--` and
#           leaves a game with `Z0` out of its list without an error.
# Versions: npm chess.js 1.4.0, @jackstenglein/chess 2.2.21, @mliebelt/pgn-parser 1.4.19, kokopu 4.13.4.
# Source:   https://github.com/mliebelt/pgn-parser/issues/436 (Z0 of ChessBase), PGN standard (no null move)
# Means:    annotated games go through such a chain only if both spellings are read. A reader of games for
#           openings or training is right to leave such games out, as Plumb does with the word that it could
#           not read.
. "$(dirname "$0")/common.sh"
npm_packages chess.js@1.4.0 @jackstenglein/chess@2.2.21 @mliebelt/pgn-parser@1.4.19 kokopu@4.13.4
cat > null.cjs <<'NODE'
const { Chess } = require('chess.js');
const { Chess: Tree } = require('@jackstenglein/chess');
const { parse } = require('@mliebelt/pgn-parser');
const { pgnRead } = require('kokopu');
const game = word => `[Event "x"]\n[Result "1-0"]\n\n1. e4 ${word} 2. d4 1-0\n`;
const chess = new Chess();
['e4', '--', 'd4'].forEach(move => chess.move(move));
console.log('written', chess.pgn().split('\n').pop());
try {
    new Chess().loadPgn(chess.pgn());
    console.log('again', 'read');
} catch (error) {
    console.log('again', 'refused');
}
for (const word of ['--', 'Z0']) {
    console.log(`tree${word}`, new Tree({ pgn: game(word) }).renderPgn().split('\n').pop());
    const [parsed] = parse(game(word), { startRule: 'games' });
    console.log(`parser${word}`, parsed.moves.map(move => move.notation.notation).join(' '));
    console.log(`kokopu${word}`, [...pgnRead(game(word)).games()].length);
}
NODE
node null.cjs > null.txt 2> warnings.txt
of() { sed -n "s/^$1 //p" null.txt; }
same 'chess.js writes' "$(of written)" '1. e4 -- 2. d4 *'
same 'chess.js reads that' "$(of again)" refused
same '@jackstenglein/chess writes for --' "$(of tree--)" '1. e4 Z0 2. d4 1-0'
same '@jackstenglein/chess writes for Z0' "$(of treeZ0)" '1. e4 Z0 2. d4 1-0'
same '@mliebelt/pgn-parser, --' "$(of parser--)" 'e4 Z0 d4'
same '@mliebelt/pgn-parser, Z0' "$(of parserZ0)" 'e4 Z0 d4'
same 'kokopu, games with --' "$(of kokopu--)" 1
same 'kokopu, games with Z0' "$(of kokopuZ0)" 0
finish
