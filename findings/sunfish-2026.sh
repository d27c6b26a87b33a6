#!/bin/bash
# The release of 2026 of Sunfish is an opponent that pip installs: it obeys `go nodes` and `stop`, and its
# last score before a move is a bound.
#
# Guess 219: no options. Guess 220: `go nodes` is ignored. Guess 222: `stop` is not heard during a search.
# Seen:      eight options, `Hash` and `Ponder` among them; `go nodes 1000` ends soon after 1000; `stop` is
#            answered at once. It searches by MTD-bi, and each `info` line has a `lowerbound` or an
#            `upperbound`.
# Versions:  PyPI sunfish 2026.1.
# Source:    https://github.com/thomasahle/sunfish
# Means:     an engine for tests of match runners that needs no compiler. A runner that takes only exact
#            scores has none for adjudication of its games; one that takes bounds must not take the wrong
#            side of them for a score.
. "$(dirname "$0")/common.sh"
pip_packages venv sunfish==2026.1
uci venv/bin/sunfish-uci > talk.txt <<'UCI'
> uci
< uciok 30
> position startpos
> go nodes 1000
< bestmove 60
> go infinite
< info 10
> stop
< bestmove 20
UCI
same 'name' "$(grep 'id name' talk.txt)" 'id name sunfish 2026'
same 'options' "$(grep -c '^option' talk.txt)" 8
same 'Hash' "$(grep 'name Hash' talk.txt)" 'option name Hash type spin default 1000 min 1 max 32768'
same 'moves after go nodes and stop' "$(grep -c '^bestmove' talk.txt)" 2
nodes=$(sed '/^bestmove/,$d' talk.txt | sed -n 's/.* nodes \([0-9]*\) .*/\1/p' | tail -n 1)
same 'nodes of go nodes 1000 are below 5000' "$([ "$nodes" -lt 5000 ] && echo yes || echo "$nodes")" yes
same 'scores that are no bounds' "$(grep ' score ' talk.txt | grep -cv bound || true)" 0
finish
