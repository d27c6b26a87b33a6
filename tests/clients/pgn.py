#!/usr/bin/env python3
"""Replays every game of a PGN file with python-chess: python3 pgn.py FILE

Exit code 0: every move is legal and every result agrees with the board; 1: there is an error. Needs python-chess (pip
install chess).
"""
import sys

import client
from client import chess


def complaints(game):
    """Yields the errors of a game."""
    for error in game.errors:
        yield f"python-chess: {error}"
    board = game.end().board()
    plies = len(list(game.mainline_moves()))
    if plies != int(game.headers["PlyCount"]):
        yield f"{plies} plies, not {game.headers['PlyCount']}"
    outcome = board.outcome(claim_draw=True)
    if game.headers["Termination"] == "normal":
        if outcome is None:
            yield "ends where the game goes on"
        elif outcome.result() != game.headers["Result"]:
            yield f"{game.headers['Result']}, but the board says {outcome.result()}"
    elif outcome is not None and outcome.termination in (chess.Termination.CHECKMATE, chess.Termination.STALEMATE):
        yield "adjudicated, though the board had decided"


def main():
    """Reads the file, prints the errors, and counts."""
    games = wrong = shuffled = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games += 1
            shuffled += game.board().chess960
            for text in complaints(game):
                wrong += 1
                print(f"game {games}: {text}")
    print(f"{games} games, {shuffled} of Chess960, {wrong} complaints")
    what = "games of `plumb tournament`, half of them Chess960: moves, results, ends"
    client.row(client.python_chess(), "writes", what, f"{games} games, {wrong} complaints")
    return 1 if wrong or not games else 0


sys.exit(main())
