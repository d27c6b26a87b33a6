#!/usr/bin/env python3
"""Check epd/games.epd and epd/mates.epd (format, legality, duplicates; mates up
to 2 again with the plainest prover, up to 3 with a fresh fast one).
Further arguments: EPD files that must have no position in common with mates.epd."""
import os
import sys

import chess

from prover import Prover, slow_mates

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name):
    for line in open(name):
        line = line.rstrip("\n")
        if line and not line.startswith("#"):
            board = chess.Board()
            ops = board.set_epd(line)
            assert board.is_valid() and not board.is_game_over(), line
            assert " ".join(line.split()[:4]) == board.epd(), line
            yield board, ops


games = list(rows(os.path.join(HERE, "..", "games.epd")))
assert len({b.epd() for b, _ in games}) == len(games)
for b, ops in games:
    assert len(ops["sm"]) == 1 if isinstance(ops["sm"], list) else ops["sm"] in b.legal_moves
mates = list(rows(os.path.join(HERE, "..", "mates.epd")))
assert len({b.epd() for b, _ in mates}) == len(mates)
foreign = set()
for name in sys.argv[1:]:
    for line in open(name):
        if line.strip() and not line.startswith("#"):
            b = chess.Board(" ".join(line.split()[:4]) + " 0 1")
            foreign |= {b.epd(), b.mirror().epd()}
assert not foreign & {b.epd() for b, _ in mates}
count = {}
for b, ops in mates:
    n, keys = ops["dm"], set(ops["bm"])
    count[n] = count.get(n, 0) + 1
    assert keys <= set(b.legal_moves)
    for color in chess.COLORS:
        extra = sum(max(0, len(b.pieces(t, color)) - k) for t, k in ((2, 2), (3, 2), (4, 2), (5, 1)))
        assert extra + len(b.pieces(1, color)) <= 8
    if n <= 2:
        assert slow_mates(b, n) and (n == 1 or not slow_mates(b, n - 1)), b.epd()
    if n <= 3:
        p = Prover()
        assert not any(p.mates(b, k) for k in range(1, n)) and p.mates(b, n), b.epd()
        assert set(p.keys(b, n)) == keys, b.epd()
print(len(games), "game positions,", len(mates), "mates", dict(sorted(count.items())))
