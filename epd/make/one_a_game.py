"""One position of every game of self-play, so that no two are related: epd/one-a-game.epd.

plumb datagen --games 208 --nodes 2000 --seed 64 --out games.vf
plumb datagen export --all games.vf | python3 epd/make/one_a_game.py > epd/one-a-game.epd
plumb datagen --games 230 --nodes 2000 --seed 65 --out more.vf
plumb datagen export --all more.vf | python3 epd/make/one_a_game.py 208 >> epd/one-a-game.epd
plumb datagen --games 640 --nodes 2000 --seed 66 --out most.vf
plumb datagen export --all most.vf | python3 epd/make/one_a_game.py 438 450 >> epd/one-a-game.epd
plumb datagen --games 640 --nodes 2000 --seed 67 --out rest.vf
plumb datagen export --all rest.vf | python3 epd/make/one_a_game.py 1078 600 >> epd/one-a-game.epd
plumb datagen --games 1120 --nodes 2000 --seed 68 --out last.vf
plumb datagen export --all last.vf | python3 epd/make/one_a_game.py 1718 1050 >> epd/one-a-game.epd
plumb datagen --games 2180 --nodes 2000 --seed 69 --out new.vf
plumb datagen export --all new.vf | python3 epd/make/one_a_game.py 2838 2100 >> epd/one-a-game.epd

The arguments are the number of games before and that of positions, 150 unless given. The first 150 were played by an earlier
version, the next at commit a055719, those of seeds 66 to 68 at commit 052c999, and the last at commit 622513b.
"""

import random
import sys

POSITIONS = 150
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
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else POSITIONS
    for number, (fen, move) in chosen[:wanted]:
        side = fen.split()[1]
        sys.stdout.write(f'{" ".join(fen.split()[:4])} id "game {before + number}, move {move} {side}";\n')


main()
