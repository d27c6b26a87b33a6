#!/bin/bash
# A match that was won in every pair is "above +1200 Elo" for the pooling tool mache, after two games as
# after a thousand.
#
# Guess 106: no interval is given where all pairs are alike. Guess 249: the bound grows with the number of
#            pairs.
# Seen:      "above +1200 Elo" for 1, 2 and 500 pairs: the number is the largest difference that it reports,
#            no lower bound of an interval. Where all pairs are drawn or split it gives an interval (0 +-
#            152 after ten pairs) from the spread of unrelated games, where fastchess prints `-0.00 +/-
#            0.00` and LOS `-nan`.
# Versions:  PyPI mache 0.7.1; compared by hand with fastchess alpha 1.8.2 and cutechess-cli 1.5.1 (`inf +/-
#            nan`, LOS 92.1 % after two wins, where fastchess prints 100 %).
# Source:    https://github.com/aywrite/mache (match_estimate.py)
# Means:     the same ten games have four different intervals in four programs. Results of few pairs are to
#            be compared by their pairs, which all of them print. Plumb gives no interval below ten pairs or
#            while all are alike.
. "$(dirname "$0")/common.sh"
pip_packages venv mache==0.7.1
game() {
    printf '[Event "x"]\n[Round "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n1. e4 e5 %s\n\n' "$@" "$4"
}
match() {
    local pairs=$1 first=$2 second=$3 round
    for ((round = 1; round <= pairs; round++)); do
        game "$round" A B "$first"
        game "$round" B A "$second"
    done > games.pgn
    venv/bin/match-estimate --candidate A --baseline B --line games.pgn 2> warnings.txt
}
same 'one pair won' "$(match 1 1-0 0-1)" 'above +1200 Elo (2 games)'
same 'two pairs won' "$(match 2 1-0 0-1)" 'above +1200 Elo (4 games)'
same '500 pairs won' "$(match 500 1-0 0-1)" 'above +1200 Elo (1000 games)'
same 'ten pairs drawn' "$(match 10 1/2-1/2 1/2-1/2)" '+0 ±152 Elo (20 games)'
same 'ten pairs split' "$(match 10 1-0 1-0)" '+0 ±152 Elo (20 games)'
finish
