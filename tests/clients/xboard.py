#!/usr/bin/env python3
"""A game in xboard, on a virtual screen (Xvfb): python3 xboard.py ENGINE

The engine plays itself, each side through an adapter (Polyglot) of its own.
"""
import contextlib
import os
import subprocess
import sys
import tempfile
import time

import client
from client import check

PATIENCE = 150


@contextlib.contextmanager
def screen(xvfb):
    """A display of its own, by name."""
    with subprocess.Popen(
        [xvfb, "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            number = server.stdout.readline().strip()
            check(number, "Xvfb did not start")
            yield f":{number}"
        finally:
            server.terminate()


def finished(pgn):
    """Waits until the file holds a whole game: xboard does not end after it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(0.2)
        if os.path.exists(pgn):
            with open(pgn, encoding="utf-8") as file:
                if file.read().rstrip().endswith(("1-0", "0-1", "1/2-1/2", " *")):
                    return
    check(False, "the game took too long")


def main():
    """Plays the game and reads it back."""
    polyglot, xboard, xvfb = map(client.program, ["polyglot", "xboard", "Xvfb"])
    engine = os.path.abspath(sys.argv[1])
    adapter = f'"{polyglot}" -noini -ec "%fcp" -ed "%fd"'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, screen(xvfb) as display:
        pgn = os.path.join(folder, "game.pgn")
        command = [xboard, "-fcp", engine, "-fUCI", "-scp", engine, "-sUCI", "-adapterCommand", adapter]
        command += ["-mg", "1", "-sgf", pgn, "-tc", "5", "-inc", "1", "-depth", "4"]
        environment = {**os.environ, "HOME": folder, "DISPLAY": display}
        quiet = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
        with subprocess.Popen(command, cwd=folder, env=environment, **quiet) as game:
            try:
                finished(pgn)
            finally:
                game.kill()
        games = client.games(pgn)
    check(len(games) == 1, f"{len(games)} games instead of one")
    end, result = games[0].end(), games[0].headers["Result"]
    outcome = end.board().outcome(claim_draw=True)
    check(outcome is not None and outcome.result() == result, f"{result} after {end.board().fen()}: {end.comment}")
    print(f"a game of {end.board().fullmove_number} moves: {result} {end.comment}")
    version = client.version(xboard, "--version")
    client.row(("xboard", version), "plays", "a game under Xvfb, through Polyglot", "its result is the board's")


main()
