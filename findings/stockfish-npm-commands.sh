#!/bin/bash
# The npm package of Stockfish is a UCI program for conversations, not for scripts: piped commands are lost,
# and there is no bench.
#
# Guess 7:  `bench` gives the same count in the single- and the multi-threaded build.
# Guess 5:  `SyzygyPath` is among the options.
# Guess 10: at the end of input a search is cut off (right, but more than that is lost).
# Seen:     `bench` prints nothing at all, as does an unknown word; `go perft 3` and `eval` work. There is
#           no `SyzygyPath`. `printf 'uci\nquit\n' | node ...` prints not one line and ends with 0: the end
#           of input closes the program before the module is loaded.
# Versions: npm stockfish 19.0.0 (single-threaded lite build), Node 20.20.
# Source:   https://github.com/nmrugg/stockfish.js (the command line closes the process at the end of its
#           input)
# Means:    the usual check of an engine, `printf | engine`, and a check of its bench fail in silence; a
#           tester must keep the pipe open and wait for `uciok`.
. "$(dirname "$0")/common.sh"
npm_packages stockfish@19.0.0
engine=node_modules/stockfish/bin/stockfish-19-lite-single.js

piped=$(printf 'uci\nquit\n' | node "$engine" | wc -l)
uci node "$engine" > talk.txt <<'UCI'
> uci
< uciok 60
> bench
> isready
< readyok 60
> go perft 3
< Nodes 60
UCI
same 'lines of printf | engine' "$piped" 0
same 'SyzygyPath' "$(grep -c SyzygyPath talk.txt || true)" 0
same 'lines of bench' "$(sed -n '/^uciok/,/^readyok/p' talk.txt | grep -cv -e uciok -e readyok || true)" 0
same 'perft 3' "$(tail -n 1 talk.txt)" 'Nodes searched: 8902'
finish
