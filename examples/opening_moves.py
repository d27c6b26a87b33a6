#!/usr/bin/env python3
"""Opening moves of the levels, judged by Stockfish: python3 opening_moves.py PLUMB STOCKFISH [--elo 1000 1500 ...]

Every level plays games with itself; in each, the first moves of both sides are judged by Stockfish at a fixed depth, from
the scores of the position before the move and after it. Table: how many moves lose at most 60 centipawns, at most 150, and
300 or more, and the most frequent first moves of either side. Losses are counted up to a score of 1000.

Needs python-chess (pip install chess).
"""
import argparse
import collections
import concurrent.futures
import os

import chess
import chess.engine

CAP = 1000


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumb")
    parser.add_argument("stockfish")
    parser.add_argument("--elo", type=int, nargs="+", default=[700, 1000, 1320, 1500, 1900, 2300])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--moves", type=int, default=10, help="moves of each side")
    parser.add_argument("--depth", type=int, default=12, help="of Stockfish")
    parser.add_argument("--movetime", type=int, default=0, metavar="MS", help="for a move of Plumb; 0: no limit but its own")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many games of each level")
    return parser.parse_args()


class Judge:
    """Scores of positions by Stockfish, in centipawns of White, each position once."""

    def __init__(self, path, depth):
        self.engine = chess.engine.SimpleEngine.popen_uci(path)
        self.engine.configure({"Hash": 16})
        self.limit = chess.engine.Limit(depth=depth)
        self.known = {}

    def score(self, board):
        key = board.epd()
        if key not in self.known:
            outcome = board.outcome()
            if outcome is not None:
                result = {True: CAP, False: -CAP, None: 0}[outcome.winner]
            else:
                score = self.engine.analyse(board, self.limit)["score"]
                result = max(-CAP, min(CAP, score.white().score(mate_score=100000)))
            self.known[key] = result
        return self.known[key]


def play(engine, game, args):
    """The first moves of a game of a level with itself."""
    board = chess.Board()
    limit = chess.engine.Limit(time=args.movetime / 1000) if args.movetime else chess.engine.Limit(depth=60)
    for _ in range(2 * args.moves):
        if board.is_game_over():
            break
        board.push(engine.play(board, limit, game=game).move)
    return board


def judged(board, judge):
    """The centipawns that each move of a game loses."""
    replayed, losses = chess.Board(), []
    for move in board.move_stack:
        sign = 1 if replayed.turn else -1
        before = sign * judge.score(replayed)
        replayed.push(move)
        losses.append(max(0, before - sign * judge.score(replayed)))
    return losses


def measure(elo, numbers, args):
    """Losses and games of one level."""
    engine = chess.engine.SimpleEngine.popen_uci(args.plumb)
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": elo, "HumanTime": False, "Hash": 1})
    judge = Judge(args.stockfish, args.depth)
    try:
        boards = [play(engine, game, args) for game in numbers]
        return [loss for board in boards for loss in judged(board, judge)], boards
    finally:
        engine.quit()
        judge.engine.quit()


def frequent(boards, ply):
    """The most frequent moves of a ply, with their share."""
    counts = collections.Counter()
    for board in boards:
        start = chess.Board()
        for move in board.move_stack[:ply]:
            start.push(move)
        if ply < len(board.move_stack):
            counts[start.san(board.move_stack[ply])] += 1
    return ", ".join(f"{san} {100 * count / len(boards):.0f} %" for san, count in counts.most_common(4))


def main():
    """The table, a row a level as soon as it is known."""
    args = arguments()
    print("| `UCI_Elo` | moves | at most 60 | at most 150 | 300 and more | first move of White | of Black |")
    print("|---|---|---|---|---|---|---|")
    for elo in args.elo:
        parts = [range(args.games)[job :: args.jobs] for job in range(args.jobs)]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(lambda part: measure(elo, part, args), parts))
        losses = [loss for found, _ in results for loss in found]
        boards = [board for _, found in results for board in found]
        share = lambda wanted: f"{100 * sum(map(wanted, losses)) / len(losses):.1f} %"
        columns = [share(lambda x: x <= 60), share(lambda x: x <= 150), share(lambda x: x >= 300)]
        firsts = [frequent(boards, 0), frequent(boards, 1)]
        print("|", " | ".join([str(elo), str(len(losses)), *columns, *firsts]), "|", flush=True)
        for board in boards[: args.show]:
            print("   ", chess.Board().variation_san(board.move_stack))


if __name__ == "__main__":
    main()
