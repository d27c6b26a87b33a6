#!/bin/bash
# Whether a knight alone can mate a king with a queen, which decides a loss on time, differs between four
# rule libraries and two match runners.
#
# Guess 414: shakmaty says that it can. Guess 417: Fairy-Stockfish says as python-chess that it cannot.
# Seen:      python-chess, chessops and shakmaty: K+N cannot mate K+Q by any series of moves (the queen's
#            side cannot be made to block its own king), but can K+R, K+B and K+P. pyffish: it can mate all
#            four. When the queen's side loses on time, fastchess (alpha 1.8.2) and cutechess-cli (1.5.1)
#            give the game to the knight; that was tried by hand.
# Versions:  PyPI chess 1.11.2, pyffish 0.0.90; npm chessops 0.15.1; crate shakmaty 0.30.0.
# Source:    FIDE Laws 6.9 (a draw if the opponent cannot checkmate by any possible series of legal moves)
# Means:     games of one match are scored differently by its runner and by a check of its PGN. Plumb draws
#            this one and gives the three others to the knight, as the first three libraries do.
. "$(dirname "$0")/common.sh"
pip_packages venv chess==1.11.2 pyffish==0.0.90
npm_packages chessops@0.15.1
cat > knight.py <<'PYTHON'
import chess
import pyffish

for library in ("python-chess", "pyffish"):
    answers = []
    for piece in "qrbp":
        fen = f"4k3/4{piece}3/8/8/8/8/8/1N2K3 w - - 0 1"
        if library == "python-chess":
            unable = chess.Board(fen).has_insufficient_material(chess.WHITE)
        else:
            unable = pyffish.has_insufficient_material("chess", fen, [])[0]
        answers.append(f"{piece} {'cannot' if unable else 'can'}")
    print(library, ", ".join(answers))
PYTHON
venv/bin/python knight.py > knight.txt
cat > knight.mjs <<'NODE'
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
const answers = [...'qrbp'].map(piece => {
    const position = Chess.fromSetup(parseFen(`4k3/4${piece}3/8/8/8/8/8/1N2K3 w - - 0 1`).unwrap()).unwrap();
    return `${piece} ${position.hasInsufficientMaterial('white') ? 'cannot' : 'can'}`;
});
console.log('chessops', answers.join(', '));
NODE
node knight.mjs >> knight.txt
crate_program 'shakmaty = "=0.30.0"' <<'RUST'
use shakmaty::{fen::Fen, CastlingMode, Chess, Color, Position};
use std::str::FromStr;
fn main() {
    let answers: Vec<String> = "qrbp"
        .chars()
        .map(|piece| {
            let fen = Fen::from_str(&format!("4k3/4{piece}3/8/8/8/8/8/1N2K3 w - - 0 1")).unwrap();
            let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            let unable = position.has_insufficient_material(Color::White);
            format!("{piece} {}", if unable { "cannot" } else { "can" })
        })
        .collect();
    println!("shakmaty {}", answers.join(", "));
}
RUST
./target/debug/found >> knight.txt
of() { sed -n "s/^$1 //p" knight.txt; }
for name in python-chess chessops shakmaty; do
    same "$name, a knight against" "$(of $name)" 'q cannot, r can, b can, p can'
done
same 'pyffish, a knight against' "$(of pyffish)" 'q can, r can, b can, p can'
finish
