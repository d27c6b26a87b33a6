#!/bin/bash
# A skill level of Stockfish is stronger the longer it thinks, though it chooses its move at a fixed depth.
#
# Guess 441: level 1 chooses at depth 2; what it searches after that changes nothing.
# Seen:      the deep iterations of a move fill the hash table, and the shallow ones of the next search read
#            it. A mate in two, which begins with a queen's sacrifice, is chosen at depth 2 none of 20 times
#            after a search to depth 1, and 20 of 20 times after one to depth 14. In games at 2 s + 0.02 s
#            level 1 of Stockfish 15.1 is 200 Elo stronger than limited to depth 2 (400 games each against
#            the same opponent).
# Versions:  npm stockfish 19.0.0, Node 20.20 (Stockfish 15.1 of Debian by hand).
# Source:    https://github.com/official-stockfish/Stockfish (src/search.cpp: Skill::time_to_pick)
# Means:     what is measured against skill levels is to be measured on a clock, and holds for that clock.
#            Plumb's levels are (notebook/levels.md).
. "$(dirname "$0")/common.sh"
npm_packages stockfish@19.0.0
mate_in_two='r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1'
times=20

# moves BEFORE: how often level 1 plays the mate at depth 2 after `ucinewgame` and the search BEFORE.
moves() {
    {
        printf '> setoption name Skill Level value 1\n'
        for ((time = 0; time < times; time++)); do
            printf '> ucinewgame\n> position fen %s\n> go %s\n< bestmove 60\n' "$mate_in_two" "$1"
            printf '> isready\n< readyok 60\n> go depth 2\n< bestmove 60\n'
        done
    } | uci node node_modules/stockfish/bin/stockfish-19-lite-single.js > talk.txt
    grep ^bestmove talk.txt | awk 'NR % 2 == 0 && $2 == "d2h6" { found++ } END { print found + 0 }'
}

fresh=$(moves 'depth 1')
later=$(moves 'depth 14')
echo "mates of $times: $fresh after a search to depth 1, $later after one to depth 14"
same 'the longer search finds more of them by at least ten' "$((later - fresh >= 10))" 1
finish
