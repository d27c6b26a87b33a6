#!/usr/bin/env python3
"""How well do the marks of plumb analyse agree with those of a long search? python3 marks.py PLUMB STOCKFISH GAMES.pgn

Reference: Stockfish at --reference milliseconds a position, its marks by the rule of plumb analyse: the loss of expected
points, and none for the move that it prefers. The points are those of Plumb's WDL model for its centipawns, which mean the
same (100 win every second game), so that the searches are compared and not the curves; --own-wdl takes Stockfish's own.
Beside it: plumb analyse, and Stockfish itself, at --time milliseconds. For ??, for ?, and for both together the table has
precision, recall and F1.

Everything runs on one thread with --hash MiB. Finished games are kept in --state, from which the same command resumes.
Games that are the same for everybody:

    plumb tournament UCI_LimitStrength=true,UCI_Elo=1500 UCI_LimitStrength=true,UCI_Elo=1700 --nodes 20000 --games 60 \\
        --seed 71 --to-the-end --pgn games.pgn

Needs python-chess (pip install chess).
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import chess
import chess.engine
import chess.pgn

MARKS = ["?!", "?", "??"]
MODEL = os.path.join(os.path.dirname(__file__), "..", "src", "engine", "wdl_model.rs")
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumb")
    parser.add_argument("stockfish")
    parser.add_argument("games")
    parser.add_argument("--count", type=int, default=60, help="games from the beginning of the file")
    parser.add_argument("--reference", type=int, default=2000, metavar="MS")
    parser.add_argument("--time", type=int, default=200, metavar="MS")
    parser.add_argument("--hash", type=int, default=64, metavar="MIB")
    parser.add_argument("--limits", type=float, nargs=3, default=[10, 20, 30], metavar="PERCENT")
    parser.add_argument("--own-wdl", action="store_true", help="take the WDL that Stockfish tells")
    parser.add_argument("--state", default="marks.jsonl", help="finished games")
    return parser.parse_args()


def read(path, count):
    """The first games of a file."""
    found = []
    with open(path, encoding="utf-8") as file:
        while len(found) < count and (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                sys.exit(f"game {len(found) + 1}: {game.errors}")
            found.append(game)
    if len(found) < count:
        sys.exit(f"{path} has {len(found)} games, not {count}")
    return found


def ended(board):
    """Expected points of the side to move where a rule ends the game, else None."""
    outcome = board.outcome()
    if outcome is None:
        # What a next move could claim is no end.
        return 0.5 if board.is_repetition(3) or board.is_fifty_moves() else None
    return 0.5 if outcome.winner is None else float(outcome.winner == board.turn)


def model():
    """The coefficients of the WDL model, from its source: of the even score and of the spread."""
    with open(MODEL, encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("pub const MODEL"))
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", line)]
    return numbers[:4], numbers[4:]


def material(board):
    """Material of both sides as the model counts it."""
    units = sum(WORTH.get(piece.piece_type, 0) for piece in board.piece_map().values())
    return min(max(units, 17), 78)


def by_model(score, units, coefficients):
    """Expected points of the side whose score it is."""
    if score.is_mate():
        return float(score > chess.engine.Cp(0))
    even, spread = (sum(term * (units / 58 - 1) ** power for power, term in enumerate(terms)) for terms in coefficients)
    own = score.score() / 100 * coefficients[0][0]
    win, loss = (1 / (1 + math.exp((even - value) / spread)) for value in (own, -own))
    return win + (1 - win - loss) / 2


def of_stockfish(engine, game, milliseconds, limits, own_wdl):
    """The marks of the moves of a game, searched from its end to its beginning."""
    nodes = [game, *game.mainline()]
    found = []
    for index, node in reversed(list(enumerate(nodes))):
        board = node.board()
        points = ended(board) if index + 1 == len(nodes) else None
        if points is None:
            found.append(engine.analyse(board, chess.engine.Limit(time=milliseconds / 1000), game=game))
        else:
            mated = chess.engine.Mate(0) if points == 0 else chess.engine.Cp(0)
            score = chess.engine.PovScore(mated, board.turn)
            found.append({"score": score, "wdl": score.wdl(), "pv": [None]})
    found.reverse()
    coefficients, marks = model(), []
    for index, node in enumerate(nodes[1:]):
        (before, after), board = found[index : index + 2], nodes[index].board()
        if own_wdl:
            values = [info["wdl"].pov(board.turn).expectation() for info in (before, after)]
        else:
            units = material(board)
            values = [by_model(info["score"].pov(board.turn), units, coefficients) for info in (before, after)]
        lost = values[0] - values[1]
        reached = sum(lost * 100 + 1e-6 >= limit for limit in limits)
        marks.append(MARKS[reached - 1] if reached and node.move != before["pv"][0] else None)
    return marks


def of_plumb(plumb, game, milliseconds, megabytes, limits):
    """The marks of plumb analyse."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.pgn"), os.path.join(folder, "out.json")
        with open(source, "w", encoding="utf-8") as file:
            print(game, file=file)
        line = [plumb, "analyse", source, "--movetime", str(milliseconds), "--hash", str(megabytes), "--jobs", "1"]
        line += ["--marks", ",".join(map(str, limits)), "--json", target]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(target, encoding="utf-8") as file:
            return [move["mark"] for move in json.load(file)["games"][0]["moves"]]


def agreement(rows, who, marks):
    """Precision, recall and F1 of some marks of a player against the reference, and their numbers."""
    pairs = [(a in marks, b in marks) for row in rows for a, b in zip(row["reference"], row[who])]
    both, wanted, found = (sum(part) for part in zip(*((a and b, a, b) for a, b in pairs)))
    ratio = lambda part, whole: f"{part / whole:.3f}" if whole else "-"
    return [wanted, found, ratio(both, found), ratio(both, wanted), ratio(2 * both, wanted + found)]


def main():
    """Searches the games that are not in the state, and prints the table."""
    options = arguments()
    conditions = {name: getattr(options, name) for name in ("reference", "time", "hash", "limits", "own_wdl")}
    rows = []
    if os.path.exists(options.state):
        with open(options.state, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    games = read(options.games, options.count)
    with chess.engine.SimpleEngine.popen_uci(options.stockfish) as engine:
        engine.configure({"Hash": options.hash, "Threads": 1, "UCI_ShowWDL": True})
        conditions["stockfish"] = engine.id["name"]
        for number, game in enumerate(games):
            moves = " ".join(move.uci() for move in game.mainline_moves())
            known = rows[number] if number < len(rows) else None
            if known is not None:
                if known["conditions"] != conditions or known["moves"] != moves:
                    sys.exit(f"{options.state} is of other games or conditions")
                continue
            row = {"conditions": conditions, "moves": moves}
            row["plumb"] = of_plumb(options.plumb, game, options.time, options.hash, options.limits)
            for who, time in (("stockfish", options.time), ("reference", options.reference)):
                row[who] = of_stockfish(engine, game, time, options.limits, options.own_wdl)
            rows.append(row)
            with open(options.state, "a", encoding="utf-8") as file:
                print(json.dumps(row), file=file, flush=True)
            print(f"{number + 1} of {len(games)} games", file=sys.stderr)
    rows = rows[: options.count]
    print(f"{len(rows)} games, {sum(len(row['reference']) for row in rows)} moves; {conditions}")
    print("| marks | of | reference | found | precision | recall | F1 |\n|---|---|--:|--:|--:|--:|--:|")
    for marks in (["??"], ["?"], ["?", "??"]):
        for who in ("plumb", "stockfish"):
            cells = map(str, agreement(rows, who, marks))
            print(f"| {' and '.join(marks)} | {who} | {' | '.join(cells)} |")


main()
