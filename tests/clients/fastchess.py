#!/usr/bin/env python3
"""Checks with fastchess: python3 fastchess.py ENGINE compliance | chess960 [GAMES] | presets | openings

`compliance` runs fastchess's own checks of an engine; `chess960` plays two of the algorithms against each other from
random start positions, a few thousand nodes a move, and fails on every warning, also that a line of mate is not as
long as announced. `presets` plays the options of Engines/Plumb.json and of the levels, and fails where fastchess does not
send one; `openings` plays a tournament of the engine and then its games as openings, and counts the moves that were read. The
environment variable FASTCHESS may name the program.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import client
from client import check, chess

NODES = 3000


def about(fastchess):
    """Name and version."""
    return "fastchess", client.version(fastchess, "-version")


def compliance(fastchess, engine):
    """Runs the compliance checks."""
    run = subprocess.run([fastchess, "--compliance", engine], capture_output=True, text=True, timeout=150, check=False)
    check(run.returncode == 0, run.stdout + run.stderr)
    check("passed all compliance checks" in run.stdout, run.stdout)
    seen = f"{run.stdout.count('Passed')} steps passed"
    client.row(about(fastchess), "plays", "`--compliance`", seen)


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
    print(f"{sum(game.end().ply() for game in games)} plies; in {castled} games somebody castled")
    what = f"{len(games)} games of Chess960, {NODES:,} nodes a move, with `-check-mate-pvs`"
    client.row(about(fastchess), "plays", what, "no warning, and python-chess reads the games")


def match(fastchess, options, more):
    """Plays a match between players that differ in options; returns what was said and the games."""
    with tempfile.TemporaryDirectory() as folder:
        pgn = os.path.join(folder, "games.pgn")
        command = [fastchess, "-each", "tc=inf", "nodes=60"]
        for number, (engine, words) in enumerate(options):
            command += ["-engine", f"cmd={engine}", f"name=player{number}", *(f"option.{word}" for word in words)]
        command += ["-concurrency", "1", "-maxmoves", "40", "-pgnout", f"file={pgn}", *more]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        check(run.returncode == 0, run.stdout + run.stderr)
        return run.stdout + run.stderr, client.games(pgn)


def presets(fastchess, engine):
    """Every option that the presets of OpenBench set, and every level, is one that a match runner sends."""
    with open(os.path.join(os.path.dirname(__file__), "../../Engines/Plumb.json"), encoding="utf-8") as file:
        tests = json.load(file)["test_presets"].values()
    settings = {preset[key] for preset in tests for key in preset if key.endswith("_options")}
    # Eight threads are no other kind of option than one.
    words = sorted(re.sub(r"Threads=\d+|Hash=\d+", "Hash=16", text) for text in settings)
    levels = [f"Level={name}" for name in ["by-elo", "beginner", "casual-player", "club-player", "strong-club-player", "master"]]
    for text in [*words, *levels]:
        said, games = match(fastchess, [(engine, text.split()), (engine, [])], ["-rounds", "1", "-repeat"])
        check(not re.search(r"invalid|doesn't have option", said, re.I), f"{text}: {said}")
        check(len(games) == 2, f"{text}: {len(games)} games")
    what = "the options of every preset in `Engines/Plumb.json`, and every level"
    client.row(about(fastchess), "plays", what, f"{len(words) + len(levels)} settings, all sent")


def openings(fastchess, engine):
    """The games of a tournament of the engine, read as openings: all of their moves."""
    with tempfile.TemporaryDirectory() as folder:
        pgn = os.path.join(folder, "own.pgn")
        limits = ["--nodes", "100", "--games", "6", "--seed", "3", "--draw", "10,2,8", "--openings", "random"]
        subprocess.run([engine, "tournament", "", "Grid=8", *limits, "--pgn", pgn], capture_output=True, check=True)
        own = [sum(1 for _ in game.mainline_moves()) for game in client.games(pgn)]
        more = ["-rounds", str(len(own)), "-games", "1", "-openings", f"file={pgn}", "format=pgn", "order=sequential"]
        _, games = match(fastchess, [(engine, []), (engine, ["Grid=8"])], more)
    booked = [sum("book" in node.comment for node in game.mainline()) for game in games]
    check(sorted(booked) == sorted(own), f"{booked} of {own} moves")
    what = f"{len(own)} games of `plumb tournament` as openings"
    client.row(about(fastchess), "writes", what, "all of their moves are played")


def main():
    """Runs one of them."""
    fastchess = client.program("fastchess", "FASTCHESS")
    engine = os.path.abspath(sys.argv[1])
    if sys.argv[2] == "compliance":
        compliance(fastchess, engine)
    elif sys.argv[2] in ("presets", "openings"):
        {"presets": presets, "openings": openings}[sys.argv[2]](fastchess, engine)
    else:
        chess960(fastchess, engine, int(sys.argv[3]) if len(sys.argv) > 3 else 4)


main()
