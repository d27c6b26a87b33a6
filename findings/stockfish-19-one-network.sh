#!/bin/bash
# Stockfish 19 has one network again, and the option of the second one is an error message.
#
# Guess 15: two evaluation files, `EvalFile` and `EvalFileSmall`, as in 17.
# Seen:     `EvalFile` alone; `setoption name EvalFileSmall` is answered "No such option". The full and the
#           lite build of the package have different networks (their searches differ).
# Versions: npm stockfish 19.0.0 (Stockfish 19), Node 20.20.
# Source:   https://github.com/official-stockfish/Stockfish (tag sf_19)
# Means:    a match file that sets both options for Stockfish works in part only; the message is no `info
#           string`, so that a tester which reads known lines drops it.
. "$(dirname "$0")/common.sh"
npm_packages stockfish@19.0.0
talk() {
    uci node "node_modules/stockfish/bin/$1" <<'UCI'
> uci
< uciok 60
> setoption name EvalFileSmall value none.nnue
> go depth 12
< bestmove 60
UCI
}
talk stockfish-19-single.js > full.txt
talk stockfish-19-lite-single.js > lite.txt
same 'name' "$(grep 'id name' full.txt)" 'id name Stockfish 19 WASM'
same 'network' "$(grep 'name EvalFile' full.txt)" \
    'option name EvalFile type string default nn-1a298aa575a0.nnue'
same 'lite' "$(grep 'name EvalFile' lite.txt)" 'option name EvalFile type string default nn-61e7af4bb97d.nnue'
same 'EvalFileSmall' "$(grep EvalFileSmall full.txt)" 'No such option: EvalFileSmall'
nodes() { grep 'info depth 12 ' "$1" | tail -n 1 | sed 's/.* nodes \([0-9]*\) .*/\1/'; }
same 'nodes at depth 12, full and lite' "$(nodes full.txt) $(nodes lite.txt)" '19250 12743'
finish
