#!/usr/bin/env python3
"""Compliance and Chess960 games with fastchess: python3 fastchess.py ENGINE compliance | chess960 [GAMES]

`compliance` runs fastchess's own checks of an engine; `chess960` plays two of the algorithms against each other from
random start positions, a few thousand nodes a move, and fails on every warning, also that a line of mate is not as
long as announced. The environment variable FASTCHESS may name the program.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

import client
from client import check, chess

NODES = 3000


def compliance(fastchess, engine):
    """Runs the compliance checks."""
    run = subprocess.run([fastchess, "--compliance", engine], capture_output=True, text=True, timeout=150, check=False)
    check(run.returncode == 0, run.stdout + run.stderr)
    check("passed all compliance checks" in run.stdout, run.stdout)
    print(f"{run.stdout.count('Passed')} steps passed")


def chess960(fastchess, engine, number):
    """Plays the match: every start position twice, with colours reversed."""
    starts = random.Random(number).sample(range(960), max(number // 2, 1))
    with tempfile.TemporaryDirectory() as folder:
        book, pgn = os.path.join(folder, "openings.epd"), os.path.join(folder, "games.pgn")
        with open(book, "w", encoding="utf-8") as file:
            file.writelines(chess.Board.from_chess960_pos(start).shredder_fen() + "\n" for start in starts)
        command = [fastchess, "-variant", "fischerandom", "-each", "tc=inf", f"nodes={NODES}", "option.Hash=16"]
        for name in ["MTD(f)", "NegaScout"]:
            command += ["-engine", f"cmd={engine}", f"name={name}", f"option.Backend={name}"]
        command += ["-openings", f"file={book}", "format=epd", "-rounds", str(len(starts)), "-repeat"]
        command += ["-concurrency", "1", "-check-mate-pvs", "-maxmoves", "200", "-pgnout", f"file={pgn}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        said = run.stdout + run.stderr
        check(run.returncode == 0, said)
        faults = re.findall(r"^.*(?:Warning|illegal|forfeit|disconnect|stalls).*$(?:\n^(?:Info|Position);.*$)*", said, re.M | re.I)
        check(not faults, "\n".join(faults))
        games = client.games(pgn)
    check(len(games) == 2 * len(starts), f"{len(games)} games instead of {2 * len(starts)}")
    castled = sum("O-O" in str(game.mainline_moves()) for game in games)
    check(all(game.board().chess960 for game in games), "a game that is not Chess960")
    print(f"{len(games)} games of Chess960 with {sum(game.end().ply() for game in games)} plies; in {castled} somebody castled")


def main():
    """Runs one of the two."""
    fastchess = client.program("fastchess", "FASTCHESS")
    engine = os.path.abspath(sys.argv[1])
    if sys.argv[2] == "compliance":
        compliance(fastchess, engine)
    else:
        chess960(fastchess, engine, int(sys.argv[3]) if len(sys.argv) > 3 else 4)


main()
