#!/usr/bin/env python3
"""Write epd/games.epd: runs of consecutive positions out of real games.

Needs python-chess and gamelist.py; uses no engine.  Each run is (surname of
White, surname of Black, year, first ply from 0, number of plies); the runs of
the three phases are dealt out in turn, so that any prefix is a fair sample.
"""
import os
import chess
from gamelist import load

OPENING = [
    ("Morphy", "Duke", 1858, 10), ("Anderssen", "Kieseritzky", 1851, 6),
    ("Capablanca", "Tartakower", 1924, 8), ("Kasparov", "Topalov", 1999, 12),
    ("Rotlewi", "Rubinstein", 1907, 13), ("Deep Blue", "Kasparov", 1997, 11),
    ("D. Byrne", "Fischer", 1956, 10), ("Steinitz", "von Bardeleben", 1895, 12),
    ("Fischer", "Taimanov", 1971, 11), ("Anderssen", "Dufresne", 1852, 14),
    ("Lasker", "Capablanca", 1914, 10), ("Reti", "Tartakower", 1910, 8),
    ("Capablanca", "Marshall", 1918, 14), ("Botvinnik", "Capablanca", 1938, 14),
    ("Fischer", "Spassky", 1972, 13), ("Karpov", "Kasparov", 1985, 12),
    ("Aronian", "Anand", 2013, 14),
]
MIDDLEGAME = [
    ("D. Byrne", "Fischer", 1956, 32), ("Botvinnik", "Capablanca", 1938, 56),
    ("Rotlewi", "Rubinstein", 1907, 41), ("Saemisch", "Nimzowitsch", 1923, 37),
    ("Kasparov", "Topalov", 1999, 45), ("Short", "Timman", 1991, 58),
    ("E. Adams", "Torre", 1920, 34), ("Petrosian", "Spassky", 1966, 41),
    ("Bernstein", "Capablanca", 1914, 53), ("Zukertort", "Blackburne", 1883, 51),
    ("Spassky", "Bronstein", 1960, 26), ("McDonnell", "La Bourdonnais", 1834, 47),
    ("Capablanca", "Marshall", 1918, 30), ("Fischer", "Spassky", 1972, 45),
    ("Tal", "Larsen", 1965, 30), ("Alekhine", "Nimzowitsch", 1930, 36),
    ("Reti", "Alekhine", 1925, 51),
]
ENDGAME = [
    ("Capablanca", "Tartakower", 1924, 67), ("Rubinstein", "Lasker", 1909, 48),
    ("Topalov", "Shirov", 1998, 92), ("Fischer", "Taimanov", 1971, 118),
    ("Bogoljubov", "Alekhine", 1922, 94), ("Rubinstein", "Lasker", 1909, 66),
    ("Kasparov", "Topalov", 1999, 78), ("Fischer", "Petrosian", 1971, 57),
    ("Bronstein", "Ljubojevic", 1973, 74), ("Lasker", "Capablanca", 1914, 76),
    ("Fischer", "Taimanov", 1971, 86), ("Topalov", "Shirov", 1998, 99),
    ("Capablanca", "Tartakower", 1924, 88), ("D. Byrne", "Fischer", 1956, 62),
    ("Bronstein", "Ljubojevic", 1973, 62), ("Botvinnik", "Capablanca", 1938, 66),
    ("Bogoljubov", "Alekhine", 1922, 81),
]
LENGTH = 4


def material(board):
    """Pieces other than kings and pawns: minor 1, rook 2, queen 4."""
    w = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
    return sum(w.get(p.piece_type, 0) for p in board.piece_map().values())


def phase(board):
    if material(board) <= 10:
        return "endgame"
    return "opening" if board.fullmove_number <= 10 else "middlegame"


def main():
    games = load()
    seen, lines, used = set(), [], set()
    counts = {"opening": 0, "middlegame": 0, "endgame": 0}
    for trio in zip(OPENING, MIDDLEGAME, ENDGAME):
        for want, (white, black, year, first) in zip(counts, trio):
            [(title, _, plies, _)] = [g for g in games if g[0].startswith(white + " - " + black)
                                      and g[0].endswith(str(year))]
            used.add(title)
            for board, san in plies[first:first + LENGTH]:
                epd = board.epd()
                assert phase(board) == want, (title, board.fullmove_number, phase(board), want)
                assert board.is_valid() and not board.is_game_over()
                if board.legal_moves.count() < 2:
                    print("one legal move:", title, board.fullmove_number)
                assert epd not in seen, (title, epd)
                seen.add(epd)
                counts[want] += 1
                side = "w" if board.turn else "b"
                lines.append(f'{epd} id "{title}, move {board.fullmove_number} {side}"; sm {san};')
    # No comment lines: other programs refuse them in a file of openings. epd/README.md describes the file.
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "games.epd"), "w") as f:
        f.write("\n".join(lines) + "\n")
    print(counts, len(lines), "positions,", len(used), "games")


main()
