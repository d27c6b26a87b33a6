#!/usr/bin/env python3
"""Write epd/tactics.epd and epd/positional.epd: positions out of games of Plumb against Plumb, each proven by long
searches with two backends.

  make_own.py find SUITE GAMES...      searches games for the positions of a suite (tactics or positional), and writes
                                       SUITE.epd, and SUITE.pgn: the games that they are from. The games need comments
                                       with scores, as fastchess and `plumb tournament --pgn` write them; or they are
                                       a file of `plumb datagen` (GAMES.vf).
  make_own.py prove [SUITE...]         proves every line again, and that its position is in SUITE.pgn where it says.

Needs python-chess and ./plumb (environment PLUMB for another place). One thread, limits in nodes: the same result on
every machine. Scores are UCI centipawns, with Grid=1. The rules are in `tactic` and `positional`.
"""
import os
import random
import re
import struct
import subprocess
import sys

import chess
import chess.pgn

HERE = os.path.dirname(os.path.abspath(__file__))
EPD = os.path.join(HERE, "..")
PLUMB = os.environ.get("PLUMB", os.path.join(EPD, "..", "plumb"))
BACKENDS = ("MTD(f)", "NegaScout")
SHORT, MIDDLE, LONG = 10_000, 80_000, 500_000  # nodes a search: to choose, and to prove
WANTED = 52                               # positions a suite
STABLE = 2                                # last iterations in which the best move may not change
SUITES = {"tactics": 2, "positional": 3}  # name: lines of MultiPV
FOUND = {"tactics": 5, "positional": 3}   # earliest iteration that may find the best move for good


class Engine:
    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([PLUMB], **pipes)
        self.tell("uci", "setoption name Hash value 16", "setoption name Grid value 1",
                  "setoption name Evaluation value hand-crafted")

    def tell(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def search(self, board, backend, lines, nodes):
        """The finished iterations of a search: lists of (score, moves in UCI notation), best first."""
        self.tell("ucinewgame", f"setoption name Backend value {backend}", f"setoption name MultiPV value {lines}",
                  f"position fen {board.fen()}", f"go nodes {nodes}")
        depths = {}
        for line in self.process.stdout:
            words = line.split()
            if words and words[0] == "bestmove":
                break
            if words[:2] != ["info", "depth"] or " pv " not in line or "bound" in line:
                continue
            if int(words[words.index("nodes") + 1]) >= nodes:
                continue  # a report of the iteration that the limit cut off, which is not always printed
            number = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
            at = words.index("score")
            score = int(words[at + 2])
            if words[at + 1] == "mate":
                score = (10_000 - abs(score)) * (1 if score > 0 else -1)
            depths.setdefault(int(words[2]), {})[number] = (score, words[words.index("pv") + 1:])
        most = min(lines, board.legal_moves.count())
        return [[found[n] for n in range(1, most + 1)] for _, found in sorted(depths.items()) if len(found) == most]


def is_quiet(board, move):
    return not board.is_capture(move) and not move.promotion and not board.gives_check(move)


def after(board, move):
    board = board.copy()
    board.push(move)
    return board


def found_at(iterations):
    """The iteration, from 1, from which on the best move is the last one's."""
    best = iterations[-1][0][1][0]
    changes = [n for n, lines in enumerate(iterations, 1) if lines[0][1][0] != best]
    return changes[-1] + 1 if changes else 1


def agreed(searches):
    """Both searches end with the same best move, and with nothing else in their last iterations."""
    same = {lines[0][1][0] for found in searches for lines in found[-STABLE:]}
    return len(same) == 1 and all(len(found) > STABLE for found in searches)


def tactic(searches):
    """"wins" or "saves" if one move is better than all others by 150 or more in both searches."""
    (best, second) = ([found[-1][n][0] for found in searches] for n in (0, 1))
    if any(b - s < 150 for b, s in zip(best, second)):
        return None
    if min(best) >= 150 and max(second) <= 100:
        return "wins"
    return "saves" if min(best) >= -50 and max(second) <= -200 else None


def positional(board, searches, least=10):
    """The points of moves if the best one is quiet, and better by a little, and nothing happens at once."""
    gaps = [found[-1][0][0] - found[-1][1][0] for found in searches]
    if min(gaps) < 4 or not least <= sum(gaps) / len(gaps) <= 80:
        return None
    for found in searches:
        best, third = found[-1][0][0], found[-1][2][0]
        move, reply = (chess.Move.from_uci(move) for move in (found[-1][0][1] + ["0000"])[:2])
        if abs(best) > 150 or best - third > 150 or abs(found[len(found) // 2][0][0] - best) > 80:
            return None
        if not is_quiet(board, move) or after(board, move).is_capture(reply):
            return None
    lists = [{line[0]: found[-1][0][0] - score for score, line in found[-1]} for found in searches]
    losses = {move: sum(one[move] for one in lists) / len(lists) for move in lists[0] if move in lists[-1]}
    points = {move: 10 - -int(-loss // 5) for move, loss in losses.items()}
    return {move: worth for move, worth in points.items() if worth > 0}


def hard(kind, found):
    """The best move is not the first one that comes to mind."""
    return len(found) > STABLE and found_at(found) >= FOUND[kind]


def judge(kind, board, searches, nodes):
    if not hard(kind, searches[0]):
        return None
    # What is clear in the middle is more likely to last.
    return tactic(searches) if kind == "tactics" else positional(board, searches, 10 if nodes == LONG else 14)


def prove(engine, kind, board, nodes=LONG, backends=BACKENDS):
    """The searches, and what the rules say of them; None if one of them is broken."""
    searches, verdict = [], None
    for backend in backends:
        searches.append(engine.search(board, backend, SUITES[kind], nodes))
        verdict = (nodes < LONG or agreed(searches)) and judge(kind, board, searches, nodes)
        if not verdict:
            return None
    return searches, verdict


def promising(engine, kind, board, played):
    """Little work for what will not be proven; the move played in the game is one more opinion."""
    first = prove(engine, kind, board, SHORT, BACKENDS[:1])
    return first and first[0][0][-1][0][1][0] == played.uci() and prove(engine, kind, board, MIDDLE)


def epd_line(kind, number, board, searches, verdict, source):
    last = [found[-1] for found in searches]
    best = board.parse_uci(last[0][0][1][0])
    score = round(sum(lines[0][0] for lines in last) / len(last))
    ops = [f"bm {board.san(best)}", f"id \"plumb {kind} {number:02}\""]
    if kind == "positional":
        points = sorted(verdict.items(), key=lambda item: (-item[1], item[0]))
        text = ", ".join(f"{board.san(board.parse_uci(move))}={worth}" for move, worth in points)
        ops.append(f"c0 \"{text}\"")
    else:
        second = board.san(board.parse_uci(last[0][1][1][0]))
        scores = " and ".join(f"{shown(lines[0][0])} against {shown(lines[1][0])}" for lines in last)
        ops.append(f"c1 \"{verdict}: {scores} (second: {second})\"")
    ops += [f"c8 \"{source}\"", f"acd {min(len(found) for found in searches)}", f"acn {LONG}"]
    ops += [] if abs(score) > 9000 else [f"ce {score}"]
    return f"{board.epd()} " + " ".join(op + ";" for op in ops)


def bare(board):
    """The position as a line of a suite gives it: without history, the fifty-move counter at 0."""
    board.clear_stack()
    board.halfmove_clock = 0


def shown(score):
    return f"{score:+}" if abs(score) < 9000 else f"mate {(10_000 - abs(score)) * (1 if score > 0 else -1)}"


def score_of(node):
    """The score of a move's comment for the one who moved, in centipawns."""
    found = re.match(r"\s*([-+]?)(M?)([\d.]+)/", node.comment)
    if not found:
        return None
    sign, mate, number = found.groups()
    return (-1 if sign == "-" else 1) * (3000 if mate else round(100 * float(number)))


def candidates(kind, game, rng):
    """Plies. Tactics: the score of the side to move rises, then or by the move. Positional: quiet moves in quiet
    middlegame positions, by lot."""
    nodes, board = list(game.mainline()), game.board()
    scores = [score_of(node) for node in nodes]
    found, captured = [], False
    for ply, node in enumerate(nodes[:-2]):
        before, opponent, here, reply = scores[ply - 2:ply + 2] if ply >= 8 else [None] * 4
        if None not in (before, opponent, here, reply):
            takes_back = captured and node.move.to_square == nodes[ply - 1].move.to_square
            rises = abs(before) <= 150 and max(here, -reply) >= max(before, 0) + 120 and not takes_back
            calm = abs(here) <= 100 and not captured and not board.is_check() and is_quiet(board, node.move)
            if rises if kind == "tactics" else calm and 18 <= len(board.piece_map()) <= 30:
                found.append(ply)
        captured = board.is_capture(node.move)
        board.push(node.move)
    return found if kind == "tactics" else rng.sample(found, min(8, len(found)))


def games_of(files):
    for name in files:
        if name.endswith(".vf"):
            yield from viriformat(open(name, "rb").read())
            continue
        with open(name) as file:
            while (game := chess.pgn.read_game(file)) is not None:
                yield game


def viriformat(data):
    """The games of a file of `plumb datagen`, with scores in comments; src/lab/datagen/format.rs describes it."""
    at = 0
    while at < len(data):
        occupied, pieces, passant, clock, number, _, result, _ = struct.unpack_from("<Q16sBBHhBB", data, at)
        board = chess.Board.empty()
        for place, square in enumerate(chess.scan_forward(occupied)):
            code = pieces[place // 2] >> 4 * (place % 2) & 15
            board.set_piece_at(square, chess.Piece([1, 2, 3, 4, 5, 6, 4][code & 7], code < 8))
            board.castling_rights |= chess.BB_SQUARES[square] if code & 7 == 6 else 0
        board.turn, board.halfmove_clock, board.fullmove_number = passant < 128, clock, number
        board.ep_square = passant & 127 if passant & 127 < 64 else None
        game = chess.pgn.Game.without_tag_roster()
        game.setup(board)
        game.headers["Result"] = ["0-1", "1/2-1/2", "1-0"][result]
        node, at = game, at + 32
        while (code := struct.unpack_from("<Hh", data, at))[0]:
            node = node.add_main_variation(move_of(board, code[0]))
            node.comment = f"{(code[1] if board.turn else -code[1]) / 100:+.2f}/0"
            board.push(node.move)
            at += 4
        at += 4
        yield game


def move_of(board, code):
    """A move of viriformat; castling is the king taking its rook."""
    start, end, promotion, kind = code & 63, code >> 6 & 63, code >> 12 & 3, code >> 14
    if kind == 2:
        end = (start & 56) + (6 if end > start else 2)
    return chess.Move(start, end, promotion + 2 if kind == 3 else None)


def plain(game, number):
    """The game without comments."""
    game.headers["Event"] = "Plumb against Plumb"
    game.headers["Round"] = str(number)
    game.headers["White"] = game.headers["Black"] = "Plumb"
    kept = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "SetUp", "FEN", "TimeControl"]
    for name in [name for name in game.headers if name not in kept]:
        del game.headers[name]
    return game.accept(chess.pgn.StringExporter(comments=False, columns=110))


def find(kind, files):
    engine, rng = Engine(), random.Random(1995)
    lines, seen, games = [], set(known(kind)), []
    for game in games_of(files):
        moves = list(game.mainline_moves())
        for ply in candidates(kind, game, rng):
            board = game.board()
            for move in moves[:ply]:
                board.push(move)
            bare(board)
            if board.epd() in seen or board.legal_moves.count() < 5:
                continue
            proof = promising(engine, kind, board, moves[ply]) and prove(engine, kind, board)
            if proof:
                games.append(plain(game, len(games) + 1))
                source = f"{kind}.pgn, game {len(games)}, move {board.fullmove_number} {'bw'[board.turn]}"
                lines.append(epd_line(kind, len(lines) + 1, board, *proof, source))
                seen.add(board.epd())
                print(lines[-1], file=sys.stderr)
                write(kind, lines, games)
                break
        if len(lines) == WANTED:
            break


def write(kind, lines, games):
    with open(suite_of(kind), "w") as file:
        file.writelines(line + "\n" for line in lines)
    with open(games_file(kind), "w") as file:
        file.write("\n\n".join(games) + "\n")


def suite_of(kind):
    return os.path.join(EPD, f"{kind}.epd")


def games_file(kind):
    return os.path.join(HERE, f"{kind}.pgn")


def known(kind):
    """The positions of the other suites."""
    for name in sorted(os.listdir(EPD)):
        if name.endswith(".epd") and name != f"{kind}.epd":
            for line in open(os.path.join(EPD, name)):
                if not line.startswith("#"):
                    yield " ".join(line.split()[:4])


def again(engine, kind, games, line):
    """The line as it is proven now; None if its position is not in the game, or not proven."""
    ops = chess.Board().set_epd(line)
    game, number, side = re.fullmatch(r"\w+\.pgn, game (\d+), move (\d+) ([wb])", ops["c8"]).groups()
    board = games[int(game) - 1].board()
    for move in games[int(game) - 1].mainline_moves():
        if (board.fullmove_number, board.turn) == (int(number), side == "w"):
            break
        board.push(move)
    bare(board)
    proof = line.startswith(board.epd() + " ") and prove(engine, kind, board)
    return epd_line(kind, int(ops["id"].split()[-1]), board, *proof, ops["c8"]) if proof else None


def check(kinds):
    """Proves every line again."""
    engine, wrong = Engine(), 0
    for kind in kinds:
        games = list(games_of([games_file(kind)]))
        for line in open(suite_of(kind)).read().splitlines():
            found = again(engine, kind, games, line)
            print("the same" if found == line else f"DIFFERS: {line}\n    now: {found}", flush=True)
            wrong += found != line
    sys.exit(f"{wrong} lines differ" if wrong else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["find"] and sys.argv[2] in SUITES and sys.argv[3:]:
        find(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["prove"] and set(sys.argv[2:]) <= set(SUITES):
        check(sys.argv[2:] or SUITES)
    else:
        sys.exit(__doc__)
