#!/usr/bin/env python3
"""Fast games between UCI engines as a source of mate candidates.

Usage: selfplay.py SECONDS [seed] > selfplay.txt   (one UCI move list a line)
Engines alternate in ONE thinking process at a time, at small depths, from six
random plies.  The result depends on the engine builds; selfplay.txt is kept
beside the scripts, so that make_mates.py can be repeated without playing again.
"""
import random
import sys
import time

import chess
import chess.engine

ENGINES = {
    "stockfish": ["stockfish"],
    "toga2": ["toga2"],
    "glaurung": ["glaurung"],
    "ethereal": ["ethereal-chess"],
}


def main():
    end = time.time() + float(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    eng = {}
    for name, cmd in ENGINES.items():
        try:
            eng[name] = chess.engine.SimpleEngine.popen_uci(cmd, timeout=20)
            if "Threads" in eng[name].options:
                eng[name].configure({"Threads": 1})
        except Exception as e:
            print("no", name, e, file=sys.stderr)
    names = sorted(eng)
    while time.time() < end:
        a, b = rng.sample(names, 2)
        depth = {chess.WHITE: rng.choice([1, 2, 3, 4, 6]), chess.BLACK: rng.choice([1, 2, 3, 4, 6])}
        who = {chess.WHITE: a, chess.BLACK: b}
        board = chess.Board()
        for _ in range(6):
            board.push(rng.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        ok = True
        while not board.is_game_over(claim_draw=True) and board.ply() < 200:
            try:
                r = eng[who[board.turn]].play(board, chess.engine.Limit(depth=depth[board.turn]))
            except Exception as e:
                print(who[board.turn], e, file=sys.stderr)
                ok = False
                break
            if r.move is None:
                ok = False
                break
            board.push(r.move)
        if board.is_checkmate():
            print(f"{a}(d{depth[True]})-{b}(d{depth[False]})", " ".join(m.uci() for m in board.move_stack), flush=True)
        if not ok:
            names = [n for n in names if n != who[board.turn]] if len(names) > 2 else names
    for e in eng.values():
        e.quit()


main()
