#!/usr/bin/env python3
"""A game through Polyglot, in the xboard protocol: python3 polyglot.py ENGINE

The engine has White; Black's moves are random with a fixed seed, so that the game ends soon. Polyglot's result must
be that of the board.
"""
import os
import random
import subprocess
import sys
import threading

import client
from client import check, chess


def main():
    """Plays the game."""
    polyglot = client.program("polyglot")
    engine = os.path.abspath(sys.argv[1])
    command = [polyglot, "-noini", "-ec", engine, "-ed", os.path.dirname(engine), "-log", "false"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as adapter:
        watchdog = threading.Timer(120, adapter.kill)
        watchdog.start()
        say = lambda line: print(line, file=adapter.stdin, flush=True)
        try:
            play(adapter.stdout, say)
        finally:
            watchdog.cancel()
            adapter.kill()


def hear(lines, *starts):
    """The next line that begins with one of `starts`."""
    for line in lines:
        check(not line.startswith(("Illegal", "Error", "tellusererror")), line.strip())
        if line.startswith(starts):
            return line.strip()
    check(False, f"Polyglot fell silent, or took too long, before {starts}")


def play(lines, say):
    """The conversation, from the greeting to the result."""
    say("xboard")
    say("protover 2")
    while "done=1" not in hear(lines, "feature"):
        pass
    for line in ["new", "level 0 5 1", "sd 6", "go"]:
        say(line)
    chance = random.Random(1)
    board = chess.Board()
    while True:
        board.push_uci(hear(lines, "move ").split()[1])
        if board.is_game_over():
            break
        answer = chance.choice(list(board.legal_moves))
        board.push(answer)
        say(f"usermove {answer.uci()}")
        if board.is_game_over():
            break
    result = hear(lines, "1-0", "0-1", "1/2-1/2")
    check(result.startswith(board.result()), f"Polyglot says {result}, the board {board.result()}")
    print(f"a game of {board.fullmove_number} moves: {result}")
    version = client.version(client.program("polyglot"))
    client.row(("Polyglot", version), "plays", "a game, as its engine", "its result is the board's")


main()
