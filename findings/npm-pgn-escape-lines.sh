#!/bin/bash
# A line that begins with `%` is to be ignored by every PGN reader; of seven libraries of npm one does.
#
# Guess 82: @mliebelt/pgn-parser reads it. Guess 188: kokopu reads it. (75, 190, 191: chess.js, cm-pgn and
#           pgn-parser refuse it, which was right.)
# Seen:     chess.js, @jackstenglein/chess, @mliebelt/pgn-parser, pgn-parser and cm-pgn raise an error;
#           kokopu leaves the game out of its list without one; chessops reads it, as do python-chess and
#           pgn-extract.
# Versions: npm chess.js 1.4.0, @jackstenglein/chess 2.2.21, @mliebelt/pgn-parser 1.4.19, pgn-parser 2.2.1,
#           cm-pgn 5.0.0, kokopu 4.13.4, chessops 0.15.1; PyPI chess 1.11.2.
# Source:   PGN standard, section 6 (escape mechanism)
# Means:    no `%` lines in games that are meant for web pages. Plumb writes none and reads them.
. "$(dirname "$0")/common.sh"
npm_packages chess.js@1.4.0 @jackstenglein/chess@2.2.21 @mliebelt/pgn-parser@1.4.19 pgn-parser@2.2.1 \
    cm-pgn@5.0.0 kokopu@4.13.4 chessops@0.15.1
pip_packages venv chess==1.11.2
cat > escape.mjs <<'NODE'
import { createRequire } from 'node:module';
import { parsePgn } from 'chessops/pgn';
import { Pgn } from 'cm-pgn/src/Pgn.js';
const require = createRequire(import.meta.url);
const tags = '[Event "x"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
    + '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n';
const texts = { plain: '1. e4 e5\n2. Nf3 1-0\n', escape: '1. e4 e5\n% escape\n2. Nf3 1-0\n' };
const readers = {
    'chess.js': text => {
        const chess = new (require('chess.js').Chess)();
        chess.loadPgn(text);
        return chess.history().length;
    },
    jackstenglein: text => new (require('@jackstenglein/chess').Chess)({ pgn: text }).history().length,
    mliebelt: text => require('@mliebelt/pgn-parser').parse(text, { startRule: 'games' })[0].moves.length,
    'pgn-parser': text => require('pgn-parser').parse(text)[0].moves.length,
    'cm-pgn': text => new Pgn(text).history.moves.length,
    kokopu: text => {
        const [game] = [...require('kokopu').pgnRead(text).games()];
        return game ? [...game.nodes()].length : 'left out';
    },
    chessops: text => [...parsePgn(text)[0].moves.mainline()].length,
};
for (const [name, read] of Object.entries(readers))
    for (const [kind, moves] of Object.entries(texts)) {
        let seen;
        try { seen = read(tags + moves); } catch (error) { seen = 'error'; }
        console.log(`${name} ${kind} ${seen}`);
    }
NODE
node escape.mjs > escape.txt 2> warnings.txt
venv/bin/python - >> escape.txt <<'PYTHON'
import chess.pgn, io
for kind, text in [("plain", "1. e4 e5\n2. Nf3 1-0\n"), ("escape", "1. e4 e5\n% escape\n2. Nf3 1-0\n")]:
    print("python-chess", kind, len(list(chess.pgn.read_game(io.StringIO(text)).mainline())))
PYTHON
of() { sed -n "s/^$1 $2 //p" escape.txt; }
for name in chess.js jackstenglein mliebelt pgn-parser cm-pgn kokopu chessops python-chess; do
    same "$name, moves without the line" "$(of $name plain)" 3
done
for name in chess.js jackstenglein mliebelt pgn-parser cm-pgn; do
    same "$name with the line" "$(of $name escape)" error
done
same 'kokopu with the line' "$(of kokopu escape)" 'left out'
same 'chessops with the line' "$(of chessops escape)" 3
same 'python-chess with the line' "$(of python-chess escape)" 3
finish
