#!/usr/bin/env python3
"""The engine under python-chess: python3 python_chess.py ENGINE

Analysis, games, pondering, MultiPV, Chess960, and roots that are mated, stalemated or restricted.
"""
import random
import sys

import client
from client import check, chess

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def check_line(board, info, what):
    """Checks that a line is legal and does not go on after the end of the game."""
    check(info.get("pv"), f"{what}: a line without moves")
    after = board.copy()
    for move in info["pv"]:
        check(not after.is_game_over(), f"{what}: the line runs on after {after.fen()}")
        check(move in after.legal_moves, f"{what}: {move} is illegal in {after.fen()}")
        after.push(move)


def analyses(engine):
    """A search to a depth, with every field that a GUI shows, and one that is stopped."""
    for fen in [chess.STARTING_FEN, KIWIPETE]:
        board = chess.Board(fen)
        info = engine.analyse(board, chess.engine.Limit(depth=9))
        missing = {"depth", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv", "multipv"} - info.keys()
        check(not missing, f"an analysis without {missing}")
        check(info["depth"] == 9, f"asked for depth 9, got {info['depth']}")
        check_line(board, info, "analysis")
    depths = []
    with engine.analysis(board) as analysis:
        for info in analysis:
            if "pv" in info:
                check_line(board, info, "endless analysis")
                depths.append(info["depth"])
            if info.get("depth", 0) >= 7:
                break
    check(depths == sorted(depths), f"depths go back: {depths}")
    check(analysis.wait().move in board.legal_moves, "a stopped analysis has no move")


def shows_lines(engine):
    """MultiPV: different moves, the best first, and no more lines than moves."""
    for fen, asked, there in [(chess.STARTING_FEN, 4, 4), ("7k/8/8/8/8/8/6q1/K7 w - - 0 1", 5, 1), (KIWIPETE, 60, 48)]:
        board = chess.Board(fen)
        infos = engine.analyse(board, chess.engine.Limit(depth=4), multipv=asked)
        check(len(infos) == there, f"{asked} lines asked of {fen}, {len(infos)} came")
        for info in infos:
            check_line(board, info, "MultiPV")
        check(len({info["pv"][0] for info in infos}) == there, "two lines with one move")
        scores = [info["score"].relative for info in infos]
        check(scores == sorted(scores, reverse=True), f"lines out of order: {scores}")


def plays(engine, board, plies):
    """Some moves of a game against itself, by nodes."""
    for _ in range(plies):
        if board.is_game_over():
            break
        board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)
    check(board.is_valid(), f"an impossible position: {board.fen()}")


def ponders(engine):
    """Pondering, with the expected move and with another."""
    limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.05, black_inc=0.05)
    for hits in [True, False]:
        board = chess.Board()
        for _ in range(3):
            result = engine.play(board, limit, ponder=True)
            check(result.move in board.legal_moves, f"{result.move} is illegal")
            board.push(result.move)
            check(result.ponder is None or result.ponder in board.legal_moves, f"ponders on {result.ponder}")
            others = [move for move in board.legal_moves if move != result.ponder]
            board.push(result.ponder if hits and result.ponder else others[0])
    engine.play(board, limit)


def plays_chess960(engine):
    """Castling to both sides by all kinds of kings and rooks, and some moves of the game."""
    chance = random.Random(960)
    for number in chance.sample(range(960), 8):
        board = chess.Board.from_chess960_pos(number)
        plays(engine, board, 16)
    for fen, castles in [
        ("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1", ["b1a1", "b1h1"]),
        ("r1kr4/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAda - 0 1", ["c1a1", "c1h1"]),
        ("1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 0 1", ["d1b1", "d1g1"]),
    ]:
        for castle in castles:
            board = chess.Board(fen, chess960=True)
            move = chess.Move.from_uci(castle)
            check(move in board.legal_moves and board.is_castling(move), f"{castle} should castle")
            answer = engine.play(board, chess.engine.Limit(depth=3), root_moves=[move])
            check(answer.move == move, f"castling {castle} was asked for, {answer.move} came")


def ends(engine):
    """Roots without moves, and roots at which only some moves count."""
    for fen, score in [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "#-0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "0"),
    ]:
        board = chess.Board(fen)
        check(engine.play(board, chess.engine.Limit(depth=5)).move is None, f"a move where none is: {fen}")
        seen = str(engine.analyse(board, chess.engine.Limit(depth=5))["score"].relative).lstrip("+")
        check(seen == score, f"{fen}: {seen} instead of {score}")
    board = chess.Board()
    only = [chess.Move.from_uci(text) for text in ("a2a3", "h2h4")]
    check(engine.play(board, chess.engine.Limit(depth=5), root_moves=only).move in only, "searchmoves were not heeded")
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    result = engine.play(board, chess.engine.Limit(mate=1), info=chess.engine.INFO_ALL)
    check(result.move == chess.Move.from_uci("d1d8"), f"a mate in one was asked for, {result.move} came")
    check(result.info["score"].relative == chess.engine.Mate(1), f"a mate in one, shown as {result.info['score']}")


def main():
    """Runs all checks."""
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=30) as engine:
        engine.configure({"Hash": 16, "Threads": 1})
        analyses(engine)
        shows_lines(engine)
        plays(engine, chess.Board(), 40)
        ponders(engine)
        plays_chess960(engine)
        ends(engine)
        engine.ping()
    what = "`SimpleEngine`: analysis, MultiPV, play, pondering, Chess960, `searchmoves`, roots that are mated"
    client.row(client.python_chess(), "plays", what, "every line legal, every field there")


main()
