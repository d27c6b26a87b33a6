#!/bin/bash
# pgn-extract writes promotions for UCI with a capital letter, JSON that is none where a move has two marks,
# and misses repetitions that begin with a double step of a pawn.
#
# Guess 494: `-Wuci` writes `e7e8q`. Guess 503: `--json` has comments, and no NAGs. Guess 491: `--repetition`
#            sees a threefold repetition that begins with 1 e4.
# Seen:      `a7a8Q`, which the UCI protocol has in small letters: python-chess and kokopu refuse it, chessops
#            and Stockfish 15.1 read it. `$4 $10` behind a move become `"nags" : ["$4""$10"]`, which no JSON
#            reader takes; comments, and scores in them, are left out. A repetition after 1 e4 is not found,
#            although `--hashcomments` has the same key three times; without a double step it is.
# Versions:  Debian pgn-extract 19-04, stockfish 15.1; npm chessops 0.15.1, kokopu 4.13.4; PyPI chess 1.11.2.
# Source:    https://www.cs.kent.ac.uk/people/staff/djb/pgn-extract/; UCI protocol ("e7e8q (for promotion)")
# Means:     moves that go into training or into an engine by `-Wuci` are to be made small first, or games
#            with promotions drop out. Annotated games (Plumb writes a mark and keeps those of the input) are
#            to be read as PGN, not through `--json`. Plumb reads `a7a8Q`.
. "$(dirname "$0")/common.sh"
debian_packages pgn-extract=19.04 stockfish=15.1
npm_packages chessops@0.15.1 kokopu@4.13.4
pip_packages venv chess==1.11.2
extract() { debian/usr/games/pgn-extract -s "$@" 2>> warnings.txt; }
# game TAGS MOVES
game() { printf '[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "*"]\n%b\n%s *\n' "$1" "$2"; }
fen='4k3/P7/8/8/8/8/8/4K3 w - - 0 1'
game "[SetUp \"1\"]\n[FEN \"$fen\"]\n" '1. a8=Q+' | extract -Wuci > uci.txt
move=$(awk '/^a7/ { print $1 }' uci.txt)
game '' '1. f3 {[%eval -0.46]} e5 2. g4 $4 Qh4#' | extract --json > one.json
game '' '1. f3 {[%eval -0.46]} e5 2. g4 $4 $10 Qh4#' | extract --json > two.json
game '' '1. e4 Nf6 2. Nc3 Ng8 3. Nb1 Nf6 4. Nc3 Ng8 5. Nb1' > step.pgn
game '' '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8' > plain.pgn
is_json() { python3 -m json.tool "$1" > parsed.txt 2>&1 && echo yes || echo no; }
count() { grep -c "$1" || true; }
cat > read.mjs <<'NODE'
import { parseUci } from 'chessops/util';
import kokopu from 'kokopu';
const [fen, move] = process.argv.slice(2);
console.log('chessops', parseUci(move)?.promotion);
try {
    console.log('kokopu', new kokopu.Position(fen).uci(move).to());
} catch (error) {
    console.log('kokopu', 'refused');
}
NODE
node read.mjs "$fen" "$move" > seen.txt
venv/bin/python - "$move" >> seen.txt <<'PYTHON'
import chess
import sys

try:
    print("python-chess", chess.Move.from_uci(sys.argv[1]))
except ValueError:
    print("python-chess refused")
PYTHON
printf 'position fen %s moves %s\nd\nquit\n' "$fen" "$move" \
    | debian/usr/games/stockfish | awk '$1 == "Fen:" { print "stockfish", $2 }' >> seen.txt
of() { sed -n "s/^$1 //p" seen.txt; }
same 'promotion of -Wuci' "$move" a7a8Q
same 'python-chess' "$(of python-chess)" refused
same 'kokopu' "$(of kokopu)" refused
same 'chessops' "$(of chessops)" queen
same 'Stockfish 15.1, position behind it' "$(of stockfish)" Q3k3/8/8/8/8/8/8/4K3
same 'one mark: JSON' "$(is_json one.json)" yes
same 'two marks: JSON' "$(is_json two.json)" no
same 'two marks as written' "$(grep -o '\["$4[^]]*\]' two.json)" '["$4""$10"]'
same 'scores in the JSON' "$(count eval < one.json)" 0
same 'games with a repetition, no double step' "$(extract --repetition plain.pgn | count '^.Event')" 1
same 'games with a repetition after 1 e4' "$(extract --repetition step.pgn | count '^.Event')" 0
same 'equal keys after 1 e4' "$(extract --hashcomments step.pgn | grep -o 823c9b50fd114196 | wc -l)" 3
finish
