#!/usr/bin/env python3
"""Compares tablebase probes with python-chess, and plays tablebase positions out.

    python3 syzygy.py PLUMB FOLDER [POSITIONS [GAMES]]

POSITIONS random positions (10000) are probed by both. From GAMES of them (60) the program plays itself, with few
nodes a move: won positions must end in mate within the fifty-move rule, drawn ones must be drawn.

Exit code 0: all is well; 1: a probe or a game is wrong. Needs python-chess (pip install chess).
"""
import os
import random
import subprocess
import sys

import chess.syzygy

import client
from client import chess


def random_board(rng):
    """A legal position with three or four men."""
    while True:
        men = ["K", "k"] + [rng.choice("PNBRQpnbrq") for _ in range(rng.choice([1, 2, 2, 2]))]
        board = chess.Board(None)
        for square, man in zip(rng.sample(range(64), len(men)), men):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = rng.random() < 0.5
        double_steps = [square for square in range(64) if board.color_at(square) == (not board.turn)
                        and board.piece_type_at(square) == chess.PAWN
                        and chess.square_rank(square) == (4 if board.turn else 3)]
        if double_steps and rng.random() < 0.7:
            square = rng.choice(double_steps)
            board.ep_square = square + (8 if board.turn else -8)
            if not board.has_legal_en_passant():
                board.ep_square = None
        if board.is_valid():
            return board


def compare(program, folder, tables, boards):
    """The number of probes that differ."""
    fens = "".join(board.fen() + "\n" for board in boards)
    done = subprocess.run([program, "syzygy", "--path", folder], input=fens, capture_output=True, text=True, check=True)
    wrong = 0
    for board, line in zip(boards, done.stdout.splitlines(), strict=True):
        wanted = f"wdl {tables.probe_wdl(board)} dtz {tables.probe_dtz(board)}"
        if line.split()[:4] != wanted.split():
            wrong += 1
            print(f"{board.fen()}: {line}, python-chess says {wanted}")
    return wrong


def play_out(engine, tables, board):
    """The error in the game from a position; None if there is none."""
    start, value = board.fen(), tables.probe_wdl(board)
    side = board.turn
    game = board.copy()
    while game.outcome(claim_draw=False) is None and not game.can_claim_draw():
        game.push(engine.play(game, chess.engine.Limit(nodes=500), game=start).move)
        now = tables.probe_wdl(game)
        if (now if game.turn == side else -now) != value:
            return f"{start}: worth {value}, but {now} for the mover after {game.fen()}"
    outcome = game.outcome(claim_draw=True)
    winner = {2: side, 0: None, -2: not side}[value]
    mated = outcome.termination == chess.Termination.CHECKMATE
    if outcome.winner != winner or (winner is not None and not mated):
        return f"{start}: worth {value}, but the game ended with {outcome}"
    return None


def main():
    """Compares, plays, and prints the results."""
    program, folder = sys.argv[1:3]
    positions, games = (int(word) for word in (sys.argv[3:] + ["10000", "60"][len(sys.argv) - 3:]))
    rng = random.Random(1995)
    with chess.syzygy.open_tablebase(folder) as tables:
        boards = [random_board(rng) for _ in range(positions)]
        wrong = compare(program, folder, tables, boards)
        print(f"{positions} positions probed, {wrong} different")
        wins, draws = [], []
        for board in boards:
            if board.is_game_over():
                continue
            value = tables.probe_wdl(board)
            if abs(value) == 2:
                wins.append(board)
            elif value == 0 and len(list(board.legal_moves)) > 1:
                draws.append(board)
        sample = wins[: games * 2 // 3] + draws[: games - games * 2 // 3]
        with chess.engine.SimpleEngine.popen_uci(program) as engine:
            engine.configure({"SyzygyPath": folder, "Hash": 4})
            complaints = [text for text in (play_out(engine, tables, board) for board in sample) if text]
        for text in complaints:
            print(text)
        print(f"{len(sample)} games played out, {len(complaints)} wrong")
        seen = f"{positions:,} positions with {wrong} different, {len(sample)} games with {len(complaints)} wrong"
        what = "WDL and DTZ of Syzygy tables, games from won and drawn positions"
        client.row(client.python_chess(), "reads", what, seen)
    return 1 if wrong or complaints else 0


sys.exit(main())
