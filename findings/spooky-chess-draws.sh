#!/bin/bash
# A library for self-play calls 75 moves the fifty-move rule, and does not look at repetitions.
#
# Guess 42: `outcome` is a draw at 100 half-moves. Guess 256: it is a draw at the third repetition.
# Seen:     `fifty_move_rule` comes at 150 half-moves. A position that occurs six times is no end, and there
#           is no function that asks for it. Mate on the 150th half-move is `fifty_move_rule` too (FIDE Laws
#           9.6.2: mate goes before the draw by 75 moves).
# Versions: PyPI spooky-chess 1.1.0.
# Source:   the package's game/state.rs (halfmove_clock >= 150)
# Means:    games of self-play by it are longer than those of engines that claim, and their results of drawn
#           endings differ from what a tester would adjudicate; results are not to be mixed. The caller must
#           count repetitions.
. "$(dirname "$0")/common.sh"
pip_packages venv spooky-chess==1.1.0 numpy==2.4.6
cat > draws.py <<'PYTHON'
import spooky_chess


def after(fen, move):
    game = spooky_chess.Game(8, 8, fen, True)
    game.make_move_from_lan(move)
    return game.outcome()


for clock in (99, 148, 149):
    print(clock + 1, after(f"6k1/5ppp/8/8/8/8/8/R3K3 w - - {clock} 80", "a1b1"))
print("mate", after("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 80", "a1a8"))
game = spooky_chess.Game.standard()
for move in "g1f3 g8f6 f3g1 f6g8".split() * 5:
    game.make_move_from_lan(move)
print("sixth", game.outcome(), game.is_over())
print("functions", [name for name in dir(game) if "repet" in name or "fold" in name])
PYTHON
venv/bin/python draws.py > draws.txt
of() { sed -n "s/^$1 //p" draws.txt; }
same '100 half-moves' "$(of 100)" None
same '149 half-moves' "$(of 149)" None
same '150 half-moves' "$(of 150)" fifty_move_rule
same 'mate on the 150th' "$(of mate)" fifty_move_rule
same 'the same position for the sixth time' "$(of sixth)" 'None False'
same 'functions about repetition' "$(of functions)" '[]'
finish
