#!/bin/bash
# `go mate N` of Stockfish has no end of its own where there is no such mate.
#
# Guess 149: a `bestmove` at once or after some depth.
# Seen:      `go mate 1` in the initial position searches on until `stop`, in Stockfish 19 as in 15.1. Where
#            there is a mate the search ends with it.
# Versions:  npm stockfish 19.0.0, Node 20.20 (Stockfish 15.1 of Debian by hand).
# Source:    https://github.com/official-stockfish/Stockfish (src/search.cpp: limits.mate is compared with a
#            mate score only)
# Means:     a suite of mates that is run with `go mate` alone stops at its first unsound or too deep
#            position. A limit of nodes or time is to be given too. Plumb ends such a search by itself.
. "$(dirname "$0")/common.sh"
npm_packages stockfish@19.0.0
uci node node_modules/stockfish/bin/stockfish-19-lite-single.js > talk.txt <<'UCI'
> isready
< readyok 60
> position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
> go mate 1
< bestmove 30
> position startpos
> go mate 1
< bestmove 10
> stop
< bestmove 20
UCI
answers=$(grep -E '^(bestmove|no bestmove)' talk.txt)
same 'a position with a mate in one' "$(sed -n 1p <<< "$answers")" 'bestmove a1a8'
same 'the initial position' "$(sed -n 2p <<< "$answers")" 'no bestmove in 10 s'
same 'after stop' "$(sed -n 3p <<< "$answers" | cut -d ' ' -f 1)" bestmove
finish
