#!/usr/bin/env python3
"""Annotated games under python-chess: python3 analyse.py ENGINE

Scores, clocks, annotations, comments and variations of `plumb analyse` are read as they were meant.
"""
import os
import subprocess
import sys
import tempfile

import client
from client import check, chess, games

GAMES = """[Event "Blitz"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 $10 { sound } (4. c3 {slow} Nf6) 4... g6?
{ [%clk 0:02:40] } 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1"]
[Result "1/2-1/2"]

1. O-O O-O-O 1/2-1/2
"""

INACCURACY, MISTAKE, BLUNDER = chess.pgn.NAG_DUBIOUS_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BLUNDER


def main():
    """Annotates the games and reads them."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.pgn"), os.path.join(folder, "out.pgn")
        with open(source, "w", encoding="utf-8") as file:
            file.write(GAMES)
        line = [sys.argv[1], "analyse", source, "--nodes", "20000", "--marks", "5,15,25", "-o", target]
        subprocess.run(line, check=True, capture_output=True)
        mate, shuffled = games(target)
    check(mate.headers["Black"] == "Bob", mate.headers["Black"])
    nodes = list(mate.mainline())
    scores = [node.eval() for node in nodes]
    check(all(scores[:-1]) and scores[-1] is None, f"scores {scores}")
    check(scores[9].white() == chess.engine.Mate(2), f"5... Bxd1 is {scores[9]}")
    check(nodes[0].clock() == 180 and nodes[7].clock() == 160, "clocks")
    check(BLUNDER in nodes[9].nags, f"5... Bxd1 has {nodes[9].nags}")
    check(all(not node.nags & {INACCURACY, MISTAKE, BLUNDER} for node in nodes[:7]), "a mark too many")
    check(10 in nodes[6].nags and "sound" in nodes[6].comment, "what was there is lost")
    firsts = [node.san() for node in nodes[5].variations]
    check(firsts == ["Nc3", "c3"] and nodes[5].variations[1].comment == "slow", f"variations {firsts}")
    better = nodes[8].variations
    check(len(better) == 2 and better[1].san() == "dxe5" and better[1].next() is not None, "no better line")
    check(shuffled.board().chess960 and all(node.eval() for node in shuffled.mainline()), "Chess960")
    what = "`plumb analyse`: scores, clocks, marks, comments and variations of its games, Chess960 too"
    client.row(client.python_chess(), "writes", what, "all read as they were meant")


main()
