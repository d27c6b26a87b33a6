#!/usr/bin/env python3
"""Write epd/mates.epd: proven forced mates.

  make_mates.py scan              -> candidates.txt (EPD, engine's length, id)
  make_mates.py prove [SUITE...]  -> epd/mates.epd  (positions also found in one
                                     of the named EPD files are left out; goes on
                                     from the file if it exists: remove it to start
                                     afresh.  How many proofs finish within their
                                     time limits depends on the machine.)

Needs python-chess, stockfish (environment STOCKFISH, default "stockfish"),
gamelist.py, prover.py and selfplay.txt.  One engine process with one thread.
"""
import os
import random
import sys
import time

import chess
import chess.engine

from gamelist import load
from prover import OutOfTime, Prover, slow_mates

HERE = os.path.dirname(os.path.abspath(__file__))
QUOTA = {1: 9, 2: 24, 3: 24, 4: 20, 5: 8, 6: 6}
QUIET = {2: 11, 3: 9, 4: 6, 5: 3, 6: 3}       # of these at least so many with a quiet key
MAX_SECONDS = {1: 10, 2: 10, 3: 40, 4: 40, 5: 40, 6: 30}        # for one exhaustive search

COMPOSITIONS = [
    ("Morphy, problem, 1850s", "kbK5/pp6/1P6/8/8/8/8/R7 w - -", 2),
    ("after Lucena 1497, smothered mate", "r6k/6pp/8/6N1/2Q5/8/5PPP/6K1 w - -", 4),
    ("Anastasia's mate", "5r1k/1b2Nppp/8/2R5/8/3Q4/5PPP/6K1 w - -", 2),
    ("Arabian mate", "7k/1R5p/4N3/8/8/1p6/r7/6K1 w - -", 2),
    ("Lolli's mate", "5rk1/5p1p/5PpQ/8/8/8/6PP/6K1 w - -", 1),
]
ELEMENTARY = {"KQK": (1, 2, 3, 4, 5, 6), "KRK": (2, 3, 4, 5, 6), "KBBK": (2, 3, 4, 5, 6),
              "KBNK": (2, 3, 4, 5), "KRRK": (2, 3, 4), "KQKR": (2, 3, 4, 5),
              "KRKN": (2, 3, 4), "KQKB": (3, 4)}


def engine():
    e = chess.engine.SimpleEngine.popen_uci(os.environ.get("STOCKFISH", "stockfish"))
    e.configure({"Threads": 1, "Hash": 128})
    return e


def mate_score(info):
    return info["score"].relative.mate() or 0


def random_elementary(rng, kind):
    """A random legal position of the kind, White to move, black king near the edge."""
    split = kind.index("K", 1)
    while True:
        board = chess.Board(None)
        for color, names in ((True, kind[:split]), (False, kind[split:])):
            for c in names:
                p = chess.Piece.from_symbol(c if color else c.lower())
                squares = [s for s in chess.SQUARES if board.piece_at(s) is None
                           and (p.piece_type != chess.PAWN or 1 <= chess.square_rank(s) <= 6)]
                board.set_piece_at(rng.choice(squares), p)
        board.turn = True
        bk = board.king(False)
        edge = min(chess.square_file(bk), 7 - chess.square_file(bk),
                   chess.square_rank(bk), 7 - chess.square_rank(bk))
        colours = {(chess.square_file(s) + chess.square_rank(s)) % 2 for s in board.pieces(chess.BISHOP, True)}
        if board.is_valid() and edge == 0 and (kind != "KBBK" or len(colours) == 2) \
                and (chess.square_distance(bk, board.king(True)) <= 3 or kind in ("KRRK",)):
            return board


def positions():
    """(source class, id, board) of everything that may hold a mate."""
    for title, _, plies, _ in load():
        for board, _ in plies[8:]:
            side = "w" if board.turn else "b"
            yield "game", f"{title}, move {board.fullmove_number} {side}", board
    with open(os.path.join(HERE, "selfplay.txt")) as f:
        for number, line in enumerate(f, 1):
            who, *moves = line.split()
            board = chess.Board()
            for i, uci in enumerate(moves):
                if i >= len(moves) - 15:
                    side = "w" if board.turn else "b"
                    who2 = who.replace("(d", " d").replace(")", "")
                    yield ("self", f"self-play game {number} ({who2}), move {board.fullmove_number} {side}",
                           board.copy(stack=False))
                board.push_uci(uci)


def scan():
    rng = random.Random(2024)
    out = open(os.path.join(HERE, "candidates.txt"), "w")
    with engine() as e:
        for kind, wanted in ELEMENTARY.items():
            wanted, tries = list(wanted), 0
            while wanted and tries < 150:
                tries += 1
                board = random_elementary(rng, kind)
                n = mate_score(e.analyse(board, chess.engine.Limit(depth=18, time=0.08)))
                if n in wanted:
                    wanted.remove(n)
                    print("elementary", n, board.epd(), f"elementary {kind}, mate in {n}", sep="|", file=out)
        for ident, epd, n in COMPOSITIONS:
            print("composition", n, epd, ident, sep="|", file=out)
        for source, ident, board in positions():
            if board.legal_moves.count() < 2:
                continue
            info = e.analyse(board, chess.engine.Limit(depth=12, time=0.15))
            if 1 <= mate_score(info) <= 6:
                print(source, mate_score(info), board.epd(), ident, sep="|", file=out, flush=True)


def key_kind(board, move):
    """quiet, check, or sacrifice (the moved piece may be taken at a loss or left en prise)"""
    value = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
    piece = value[board.piece_type_at(move.from_square)]
    gain = value.get(board.piece_type_at(move.to_square), 0)
    check = board.gives_check(move)
    board.push(move)
    taken = [m for m in board.legal_moves if m.to_square == move.to_square]
    guarded = board.is_attacked_by(not board.turn, move.to_square)
    loss = max([piece - gain - (value[board.piece_type_at(m.from_square)] if guarded else 0)
                for m in taken], default=0)
    board.pop()
    if loss >= 2:
        return "sacrifice"
    return "check" if check else "quiet"


def prove(board, hint, e):
    """(dm, keys, comment, kinds of keys), or None when not all could be proven.

    A search that runs out of time leaves its board anywhere: each gets a copy.
    """
    prover = Prover()
    n, comment = None, []
    try:
        for n in range(1, min(hint, 4) + 1):       # full width up to four moves
            prover.limit(MAX_SECONDS[n])
            if prover.mates(board.copy(), n):
                break
        else:
            n = None
    except OutOfTime:
        if n <= 3:
            return None
        n = None
    if n is not None:
        try:
            prover.limit(MAX_SECONDS[n])
            keys = prover.keys(board.copy(), n)
        except OutOfTime:
            if n <= 3:
                return None
            keys = None
        deep = e.analyse(board, chess.engine.Limit(depth=30, time=20))
        if mate_score(deep) != n:
            deep = e.analyse(board, chess.engine.Limit(mate=n, time=20))
        if mate_score(deep) != n:
            comment.append(f"engine says {mate_score(deep)} at depth {deep['depth']}, exhaustive search {n}")
    elif hint <= 3:
        return None                                 # the engine's length was not right
    else:
        n, keys = hint, None
        deep = e.analyse(board, chess.engine.Limit(depth=45, time=40))
        if mate_score(deep) != n:
            if not 4 <= mate_score(deep) <= 6:
                return None
            n = mate_score(deep)
        if n >= 5:
            prover.limit(MAX_SECONDS[n])
            try:
                if prover.mates(board.copy(), n - 1):
                    return prove(board, n - 1, e) if n - 1 <= 4 else None
                comment.append(f"no mate in {n - 1}: exhaustive")
            except OutOfTime:
                if deep["depth"] < 40:
                    return None
                comment.append(f"no mate in {n - 1}: engine only, depth {deep['depth']}")
        else:                                       # mates(3) was refuted above
            comment.append("no mate in 3: exhaustive")
    if keys is None:
        keys = []
        guide = Prover()

        def best(b, left):
            for limit in (dict(depth=16), dict(depth=24)):
                info = e.analyse(b, chess.engine.Limit(time=1.5, **limit))
                if 0 < mate_score(info) <= left:
                    return [info["pv"][0]]
            return []
        lines = e.analyse(board, chess.engine.Limit(depth=24, time=10), multipv=4)
        firsts = [i["pv"][0] for i in lines if mate_score(i) == n] or [deep["pv"][0]]
        seen = {}
        for move in firsts:
            guide.limit(40)
            try:
                if guide.guided(board.copy(), n, lambda b, left, m=move: [m] if left == n else best(b, left), dict()):
                    keys.append(move)
            except OutOfTime:
                pass
        if not keys:
            return None
        comment.append("bm: proof tree (all replies), other keys not excluded")
    keys.sort(key=lambda m: board.san(m))
    kinds = [key_kind(board, m) for m in keys]
    return n, keys, "; ".join(comment).replace(";", ","), kinds


def normal(epd):
    return " ".join(epd.split()[:4])


def self_test():
    rng = random.Random(5)
    for _ in range(150):
        board = chess.Board()
        for _ in range(rng.randrange(10, 80)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.is_game_over():
            continue
        fast = set(m for m in Prover.checking_candidates(board) if board.gives_check(m))
        assert fast == set(m for m in board.legal_moves if board.gives_check(m)), board.fen()


def test_small(boards):
    for b in boards:
        for n in (1, 2):
            assert Prover().mates(b, n) == slow_mates(b, n), b.fen()


def prove_all(suites):
    self_test()
    foreign = set()
    for name in suites:
        for line in open(name):
            if line.strip() and not line.startswith("#"):
                b = chess.Board(normal(line) + " 0 1")
                foreign |= {normal(b.epd()), normal(b.mirror().epd())}
    cands = [line.rstrip("\n").split("|") for line in open(os.path.join(HERE, "candidates.txt"))]
    rng = random.Random(11)
    rng.shuffle(cands)
    order = {"composition": 0, "elementary": 1, "game": 2, "self": 3}
    cands.sort(key=lambda c: (min(5, max(3, int(c[1]))), order[c[0]]))
    test_small([chess.Board(c[2] + " 0 1") for c in cands if int(c[1]) <= 2][-25:])
    have = {n: [] for n in QUOTA}
    per_game, seen, failed = {}, set(), []
    for line in kept():                             # take up an interrupted run
        board = chess.Board(normal(line) + " 0 1")
        ops = board.set_epd(line)
        ident = ops["id"]
        source = ("self" if ident.startswith("self-play") else "elementary" if ident.startswith("elementary")
                  else "game" if ", move " in ident else "composition")
        kinds = [key_kind(board, m) for m in ops["bm"]]
        have[ops["dm"]].append((line, source, ops.get("c0", ""), kinds))
        seen.add(normal(line))
        game = ident.split(", move")[0]
        per_game[game] = per_game.get(game, 0) + 1
    start = time.time()
    with engine() as e:
        for source, hint, epd, ident in cands:
            hint = int(hint)
            if normal(epd) in seen or normal(epd) in foreign:
                continue
            cap = {"composition": 99, "elementary": 99, "game": 2, "self": 1}[source]
            game = ident.split(", move")[0]
            if hint >= 5 and source == "game":
                cap += 1
            if per_game.get(game, 0) >= cap:
                continue
            share = {"composition": 1.0, "elementary": 0.34, "game": 0.67, "self": 1.0}[source]
            if hint == 1:
                share = min(1.0, share + 0.33)
            if len(have[hint]) >= QUOTA[hint] * share:
                continue
            board = chess.Board(epd + " 0 1")
            assert board.is_valid(), epd
            if source == "self" and hint > 1:       # keep room for quiet keys
                quiet = sum(1 for x in have[hint] if "quiet" in x[3])
                info = e.analyse(board, chess.engine.Limit(depth=14, time=0.5))
                if key_kind(board, info["pv"][0]) != "quiet" and \
                        QUOTA[hint] - len(have[hint]) <= QUIET[hint] - quiet:
                    continue
            t = time.time()
            got = prove(board, hint, e)
            print(f"{time.time() - start:6.0f}s {time.time() - t:5.1f}s", ident, hint,
                  got and (got[0], [board.san(m) for m in got[1]], got[2], got[3]), flush=True)
            if got is None:
                failed.append((hint, ident))
                continue
            n, keys, comment, kinds = got
            if len(have[n]) >= QUOTA[n] + 2 or (n > 1 and len(keys) > 4):
                continue
            if source == "elementary":
                ident = ident.split(",")[0]
            seen.add(normal(epd))
            per_game[game] = per_game.get(game, 0) + 1
            sans = " ".join(board.san(m) for m in keys)
            line = f'{board.epd()} bm {sans}; dm {n}; id "{ident}";'
            if comment:
                line += f' c0 "{comment}";'
            have[n].append((line, source, comment, kinds))
            write(have)
    for n, rows in have.items():
        print("mate in", n, len(rows), {s: sum(r[1] == s for r in rows) for s in order},
              {k: sum(r[3][0] == k for r in rows) for k in ("quiet", "check", "sacrifice")},
              "with comment", sum(1 for r in rows if r[2]))
    print("not proven:", failed)


def kept():
    name = os.path.join(HERE, "..", "mates.epd")
    if not os.path.exists(name):
        return []
    return [line.rstrip("\n") for line in open(name) if not line.startswith("#")]


def write(have):
    lines = [r for n in sorted(have) for r in have[n]]
    head = [
        f"# Proven forced mates: {len(lines)} positions, "
        + ", ".join(f"{len(have[n])} in {n}" for n in sorted(have)) + ".",
        "# bm: the first moves that reach the shortest mate; dm: its length in moves.",
        "# Without c0: exhaustive search over all moves of both sides proved that the mate exists,",
        "# that there is no shorter one, and that exactly the moves in bm achieve it; an engine agrees.",
        "# c0 says what was shown in a lesser way.",
        "# Sources: real games, quick games between engines, elementary mates drawn at random and a few",
        "# old compositions; made by make/make_mates.py.",
    ]
    with open(os.path.join(HERE, "..", "mates.epd"), "w") as f:
        f.write("\n".join(head + [r[0] for r in lines]) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["scan"]:
        scan()
    elif sys.argv[1:2] == ["prove"]:
        prove_all(sys.argv[2:])
    else:
        sys.exit(__doc__)
