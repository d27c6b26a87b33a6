"""Helpers of the scripts in this folder: finding programs, checking claims and games.

Every script is called with the path of the engine. Exit code 0: all is well; 1: a check failed or a program is missing,
and is printed. Needs python-chess (pip install chess).
"""
import os
import re
import shutil
import subprocess
import sys

import chess
import chess.engine
import chess.pgn


def program(name, variable=None, folders=("/usr/games", "/usr/local/games")):
    """The path of a program: from the environment variable, if one is named, or found where programs are."""
    given = os.environ.get(variable) if variable else None
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *folders])
    found = shutil.which(given or name, path=path)
    if found is None:
        hint = f" (or {variable} is to name it)" if variable else ""
        sys.exit(f"{given or name} is not installed{hint}")
    return found


def check(holds, what):
    """Ends the script with an error unless the claim holds."""
    if not holds:
        print(f"wrong: {what}")
        sys.exit(1)


def version(path, *words):
    """The version that a program prints when it is called with these words."""
    run = subprocess.run([path, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    found = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    check(found, f"{path} names no version: {run.stdout}{run.stderr}")
    return found[0]


def row(program_and_version, direction, what, seen):
    """Prints what was seen of another program, for its row in docs/compatibility.md."""
    print("row | " + " | ".join([*program_and_version, direction, what, seen]))


def python_chess():
    """Name and version of python-chess."""
    return "python-chess", chess.__version__


def games(path):
    """Every game of a PGN file, each replayed: all moves legal, and no result that contradicts the board."""
    read = []
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            read.append(game)
            number, board = len(read), game.end().board()
            check(not game.errors, f"game {number}: {game.errors}")
            outcome = board.outcome()
            if outcome is not None:
                said = game.headers["Result"]
                check(said == outcome.result(), f"game {number}: {said}, but the board says {outcome.result()}")
    return read
