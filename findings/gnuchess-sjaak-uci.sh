#!/bin/bash
# Two engines of Debian over UCI: GNU Chess answers a mated position with the move a1a1, Sjaak II with
# nothing; both pass over `go nodes`, and Sjaak II castles by e1a1 unless told not to.
#
# Guess 539: GNU Chess answers `bestmove (none)`. Guess 546: Sjaak II obeys `go nodes`. Guess 548: it answers
#            a mated position. Guess 549: it has mate scores. Guess 550: `stop` ends its search.
# Seen:      `go nodes 2000` has GNU Chess search until `stop`, and Sjaak II for seconds of its own choice.
#            Sjaak II writes a mate as `cp 15999`, goes on after `stop`, and stays in an earlier position at
#            `position startpos` without `ucinewgame`. Its `UCI_Chess960` is true by default: in standard
#            chess castling is `e1a1`, and `e1c1` after the option was set to false.
# Versions:  Debian gnuchess 6.2.7, sjaakii 1.4.1.
# Source:    https://www.gnu.org/software/chess/, Debian package sjaakii; UCI protocol
# Means:     as opponents (`cmd=`) both take a clock or a depth: a match at fixed nodes is none. A runner that
#            sets `UCI_Chess960` in Chess960 alone calls castling of Sjaak II illegal; Plumb and python-chess
#            set it in every game. Its mates count as scores for adjudication, never as mates.
. "$(dirname "$0")/common.sh"
debian_packages gnuchess=6.2.7 sjaakii=1.4.1
gnu() { uci debian/usr/games/gnuchess --uci; }
sjaak() { uci debian/usr/games/sjaakii; }
# ask POSITION GO SECONDS [COMMAND...]: the lines of a conversation, to be given to an engine.
ask() {
    printf '> uci\n< uciok 20\n'
    [ $# -eq 3 ] || printf '> %s\n' "${@:4}"
    printf '> position %s\n> go %s\n< bestmove %s\n' "$1" "$2" "$3"
}
best() { grep -oE '^bestmove [^ ]*|^no bestmove' | tail -1; }
# many: whether the nodes of the last line are over 20,000.
many() { grep -o 'nodes [0-9]*' | tail -1 | awk '{ if ($2 > 20000) print "over 20000"; else print $2 }'; }
mated='fen R6k/8/6K1/8/8/8/8/8 b - - 0 1'
mate='fen 6k1/8/6K1/8/8/8/8/R7 w - - 0 1'
castling='fen 3k4/8/8/8/8/8/1r6/R3K3 w Q - 0 1'
same 'GNU Chess, mated' "$(ask "$mated" 'depth 5' 20 | gnu | best)" 'bestmove a1a1'
same 'Sjaak II, mated' "$(ask "$mated" 'depth 5' 5 | sjaak | best)" 'no bestmove'
same 'GNU Chess, mate in one' \
    "$(ask "$mate" 'depth 3' 20 | gnu | grep -o 'score mate.*' | tail -1 | cut -d' ' -f1-3)" 'score mate 1'
same 'Sjaak II, mate in one' \
    "$(ask "$mate" 'depth 3' 20 | sjaak | grep -o 'score .*' | tail -1 | cut -d' ' -f1-3)" 'score cp 15999'
{ ask startpos 'nodes 2000' 4; printf '> stop\n< bestmove 20\n'; } | gnu > gnu.txt
same 'GNU Chess, nodes at go nodes 2000' "$(many < gnu.txt)" 'over 20000'
same 'GNU Chess, before stop' "$(grep -o '^no bestmove' gnu.txt)" 'no bestmove'
same 'GNU Chess, at stop' "$(best < gnu.txt | cut -d' ' -f1)" bestmove
ask startpos 'nodes 100' 30 | sjaak > sjaak.txt
same 'Sjaak II, nodes at go nodes 100' "$(many < sjaak.txt)" 'over 20000'
same 'Sjaak II, an end' "$(best < sjaak.txt | cut -d' ' -f1)" bestmove
{ ask startpos infinite 1; printf '> stop\n< bestmove 8\n'; } | sjaak > stop.txt
same 'Sjaak II, 8 seconds after stop' "$(best < stop.txt)" 'no bestmove'
{ ask "$mate" 'depth 2' 20; printf '> position startpos\n> go depth 2\n< bestmove 20\n'; } | sjaak > same.txt
same 'Sjaak II, startpos after a FEN' "$(best < same.txt)" 'bestmove a1a8'
same 'Sjaak II, castling' "$(ask "$castling" 'depth 3' 20 | sjaak | best)" 'bestmove e1a1'
same 'Sjaak II, castling, UCI_Chess960 false' \
    "$(ask "$castling" 'depth 3' 20 'setoption name UCI_Chess960 value false' | sjaak | best)" 'bestmove e1c1'
finish
