#!/usr/bin/env python3
"""One book, three readers: python3 books.py ENGINE [GAMES]

Plumb builds books; Polyglot, python-chess and Plumb must take the same best move from every position of them, and
random moves in proportion to the same weights: the book of random games, with castling, promotions and moves of equal
weight, and one of more games than a weight can count. GAMES is how many random games there are (300).
"""
import collections
import os
import random
import subprocess
import sys
import tempfile

import chess.polyglot

import client
from client import check, chess

# Draws from one position, and the greatest deviation of a share: six standard deviations of a share of one half.
DRAWS = 2000
DEVIATION = 6 * 0.5 / DRAWS ** 0.5


class Engine:
    """A UCI program that moves from its book."""

    def __init__(self, command, options=()):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self.process = subprocess.Popen(command, **pipes)
        self.say("uci")
        self.hear("uciok")
        for name, value in options:
            self.say(f"setoption name {name} value {value}")

    def say(self, line):
        """Sends a line."""
        print(line, file=self.process.stdin, flush=True)

    def hear(self, word):
        """The first line that begins with a word."""
        for line in self.process.stdout:
            if line.startswith(word):
                return line.split()
        check(False, f"{self.process.args} fell silent before {word}")

    def choice(self, board):
        """The move that it plays."""
        self.say(f"position fen {board.fen()}")
        self.say("go nodes 1")
        return self.hear("bestmove")[1]

    def end(self):
        """Ends the program."""
        self.say("quit")
        self.process.wait(10)


def polyglot(engine, folder, book, is_random):
    """Polyglot, in the UCI protocol, with a book."""
    settings = {"EngineCommand": engine, "Log": "false", "Book": "true", "BookFile": book, "BookTreshold": "0"}
    settings |= {"EngineDir": folder, "BookRandom": str(is_random).lower()}
    path = os.path.join(folder, "polyglot.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[PolyGlot]\n" + "".join(f"{key} = {value}\n" for key, value in settings.items()) + "[Engine]\n")
    return Engine([client.program("polyglot"), path])


def plumb(engine, book, mode):
    """Plumb with a book."""
    return Engine([engine], [("OwnBook", "true"), ("BookFile", book), ("BookMode", mode)])


def random_games(path, number):
    """Writes short random games from three positions."""
    chance = random.Random(1)
    castling, promotions = "r3k2r/pppq1ppp/2n5/8/8/2N5/PPPQ1PPP/R3K2R w KQkq - 0 1", "8/PPk5/8/8/8/8/5Kpp/8 w - - 0 1"
    starts = [chess.STARTING_FEN, castling, promotions]
    with open(path, "w", encoding="utf-8") as file:
        for index in range(number):
            board = chess.Board(starts[index % len(starts)])
            game = chess.pgn.Game.from_board(board)
            node = game
            for _ in range(16):
                moves = sorted(board.legal_moves, key=lambda move: move.uci())
                if not moves:
                    break
                # The first moves are likelier, so that games meet and weights differ.
                move = chance.choice(moves[: 2 + chance.randrange(len(moves))])
                board.push(move)
                node = node.add_variation(move)
            print(game, end="\n\n", file=file)


def positions(path):
    """Every position of the games, once."""
    seen = {}
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            for move in game.mainline_moves():
                seen[board.epd()] = board.copy(stack=False)
                board.push(move)
    return list(seen.values())


def build(engine, games, book):
    """Builds a book of games."""
    subprocess.run([engine, "book", "build", games, "-o", book], check=True, capture_output=True)


def best_moves(engine, folder, book, boards):
    """The best move of every position, by all three."""
    others = [polyglot(engine, folder, book, False), plumb(engine, book, "best")]
    counts = collections.Counter()
    with chess.polyglot.open_reader(book) as reader:
        for board in boards:
            entries = list(reader.find_all(board))
            expected = reader.find(board).move.uci()
            weights = [entry.weight for entry in entries]
            counts["equal weights" if weights.count(max(weights)) > 1 else "one best"] += 1
            counts["castling"] += board.is_castling(reader.find(board).move)
            for other in others:
                move = other.choice(board)
                check(move == expected, f"{board.fen()}: python-chess {expected}, {other.process.args[0]} {move}")
    for other in others:
        other.end()
    return counts


def shares(engine, folder, book, board):
    """Draws from a position by Polyglot and Plumb, beside the weights that python-chess reads."""
    with chess.polyglot.open_reader(book) as reader:
        weights = {entry.move.uci(): entry.weight for entry in reader.find_all(board)}
    total = sum(weights.values())
    for other in [polyglot(engine, folder, book, True), plumb(engine, book, "weighted")]:
        drawn = collections.Counter(other.choice(board) for _ in range(DRAWS))
        other.end()
        check(set(drawn) <= set(weights), f"{other.process.args[0]} plays {drawn}, the book has {weights}")
        for move, weight in weights.items():
            off = abs(drawn[move] / DRAWS - weight / total)
            check(off < DEVIATION, f"{other.process.args[0]}: {move} {drawn[move]} times of {DRAWS}, weights {weights}")
    return weights


def main():
    """Runs all checks."""
    engine = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    with tempfile.TemporaryDirectory() as folder:
        games, book = (os.path.join(folder, name) for name in ["games.pgn", "games.bin"])
        random_games(games, number)
        build(engine, games, book)
        boards = positions(games)
        counts = best_moves(engine, folder, book, boards)
        print(f"{counts.pop('castling')} of the moves are castling; positions: {dict(counts)}")
        print(f"start of {number} games: {shares(engine, folder, book, chess.Board())}")
        with open(games, "w", encoding="utf-8") as file:
            for move, times in [("e4", 131070), ("d4", 66000), ("c4", 6600)]:
                file.write(f"1. {move} *\n\n" * times)
        build(engine, games, book)
        best_moves(engine, folder, book, [chess.Board()])
        print(f"start of 203,670 games: {shares(engine, folder, book, chess.Board())}")
    both = "polyglot, python-chess", f"{client.version(client.program('polyglot'))}, {chess.__version__}"
    seen = f"the same best move in {len(boards):,} positions, the same shares in {DRAWS:,} draws"
    client.row(both, "writes", "a book of `plumb book build`", seen)


main()
