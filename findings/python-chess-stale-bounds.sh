#!/bin/bash
# python-chess keeps `lowerbound` and `upperbound` of earlier lines beside a later score, so that a score
# can be both, and an exact score a bound.
#
# Guess 370: `play` returns a score whose bound is marked. Guess 377: an exact line clears the flags of
#            earlier lines.
# Seen:      an `info` line sets its flag and no line clears one: the results of `play` and `analyse` and
#            `analysis.info` are merged over all lines. With Sunfish (MTD-bi, a bound in each line) both
#            flags are true; with Stockfish 15.1 in a search of nine seconds they stayed true beside exact
#            scores. Lines read one by one have at most one flag.
# Versions:  PyPI chess 1.11.2, sunfish 2026.1 (Stockfish 15.1 by hand).
# Source:    https://github.com/niklasf/python-chess/blob/v1.11.2/chess/engine.py (AnalysisResult.post
#            updates a dictionary); https://github.com/niklasf/python-chess/issues/1086 (open: which score
#            counts)
# Means:     the flags in a result of python-chess say nothing. A program that drops bounds (labels for
#            training, adjudication) must read the lines one by one. Engines of the MTD family send bounds
#            most of the time.
. "$(dirname "$0")/common.sh"
pip_packages venv chess==1.11.2
pip_packages engine sunfish==2026.1
cat > bounds.py <<'PYTHON'
import chess
import chess.engine

engine = chess.engine.SimpleEngine.popen_uci("engine/bin/sunfish-uci", timeout=60)
result = engine.analyse(chess.Board(), chess.engine.Limit(nodes=20000))
print("analyse", result.get("lowerbound"), result.get("upperbound"))
most, lines = 0, 0
with engine.analysis(chess.Board(), chess.engine.Limit(nodes=20000)) as analysis:
    for line in analysis:
        if "score" in line:
            lines += 1
            most = max(most, ("lowerbound" in line) + ("upperbound" in line))
    print("info", analysis.info.get("lowerbound"), analysis.info.get("upperbound"))
print("line", most, lines > 2)
engine.quit()
PYTHON
venv/bin/python bounds.py > bounds.txt
of() { sed -n "s/^$1 //p" bounds.txt; }
same 'analyse: lowerbound, upperbound' "$(of analyse)" 'True True'
same 'analysis.info: lowerbound, upperbound' "$(of info)" 'True True'
same 'flags of a single line, and more than two lines' "$(of line)" '1 True'
finish
