"""One position of every game of self-play, for the experiment `optimal` of plumb lab: epd/one-a-game.epd.

plumb datagen --games 208 --nodes 2000 --seed 64 --out games.vf
plumb datagen export --all games.vf | python3 epd/make/one_a_game.py > epd/one-a-game.epd
plumb datagen --games 230 --nodes 2000 --seed 65 --out more.vf
plumb datagen export --all more.vf | python3 epd/make/one_a_game.py 208 >> epd/one-a-game.epd

The argument is the number of games before. The first half was played by an earlier version, the second at commit a055719.
"""

import random
import sys

GAMES = 150
DECIDED = 500  # centipawns


def main():
    games, last = [], 10**6
    for line in sys.stdin:
        fen, score, _ = (field.strip() for field in line.split("|"))
        fields = fen.split()
        ply = 2 * int(fields[5]) + (fields[1] == "b")
        if ply < last:
            games.append([])
        last = ply
        if abs(int(score)) <= DECIDED:
            games[-1].append((fen, int(fields[5])))
    choice = random.Random(1995)
    chosen = [(number, choice.choice(game)) for number, game in enumerate(games, 1) if len(game) >= 20]
    before = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for number, (fen, move) in chosen[:GAMES]:
        side = fen.split()[1]
        sys.stdout.write(f'{" ".join(fen.split()[:4])} id "game {before + number}, move {move} {side}";\n')


main()
