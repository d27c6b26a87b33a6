//! SAN: moves as people and programs write them, with common dialects; UCI notation is read too.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, san::San};

/// Reads a move for a position. Accepts dialects that suites contain: missing or superfluous `x`, `+`, `#`,
/// `!`, `?`, `e.p.`, castling with zeros, hyphens (`Ng1-f3`), and UCI text (`g1f3`).
///
/// # Errors
/// If the text is no legal move.
pub fn read(chess: &Chess, text: &str) -> Result<Move, String> {
    let plain = plain(text);
    let illegal = || format!("'{text}' is no legal move here");
    let san = San::from_ascii(plain.as_bytes()).ok();
    let uci = || UciMove::from_ascii(plain.as_bytes()).ok().and_then(|uci| uci.to_move(chess).ok());
    san.and_then(|san| from_san(chess, san)).or_else(uci).ok_or_else(illegal)
}

/// Writes a move in SAN, with check and mate marks.
#[must_use]
pub fn write(chess: &Chess, m: Move) -> String {
    shakmaty::san::SanPlus::from_move(chess.clone(), m).to_string()
}

fn from_san(chess: &Chess, san: San) -> Option<Move> {
    san.to_move(chess).ok().or_else(|| match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            San::Normal { role, file, rank, capture: !capture, to, promotion }.to_move(chess).ok()
        }
        _ => None,
    })
}

/// Strips annotations and spells castling with the letter O.
fn plain(text: &str) -> String {
    let marks = ['!', '?', '+', '#'];
    let text = text.trim().trim_end_matches(marks);
    let text = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    let text = text.trim_end_matches(marks);
    if text.starts_with("0-0") || text.starts_with("o-o") {
        return text.replace(['0', 'o'], "O");
    }
    if text.starts_with('O') { text.to_owned() } else { text.replace('-', "") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn dialects_name_the_same_move() {
        let busy = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let promoting = "1n5k/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for (fen, uci, texts) in [
            (busy, "e1g1", &["O-O", "0-0", "o-o", "O-O!", "0-0+", "e1g1", "e1h1"][..]),
            (busy, "e1c1", &["O-O-O", "0-0-0", "0-0-0!?", "e1c1"]),
            (busy, "e5f7", &["Nxf7", "Nf7", "Nxf7!", "Nxf7+", "Ne5xf7", "Ne5-f7", "e5f7", "Nxf7#??"]),
            (busy, "a2a4", &["a4", "a2a4", "a2-a4", "a4+", "Pa4"]),
            (promoting, "a7a8q", &["a8=Q+", "a8=Q", "a7a8q", "a8=Q!"]),
            (promoting, "a7b8n", &["axb8=N", "ab8=N", "a7xb8=N+", "a7b8n"]),
            (promoting, "e5d6", &["exd6", "ed6", "exd6e.p.", "exd6ep", "e5d6", "exd6!"]),
        ] {
            let chess = position(fen);
            for text in texts {
                let found = read(&chess, text).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(found.to_uci(CastlingMode::Standard).to_string(), uci, "{text}");
            }
        }
    }

    #[test]
    fn other_text_is_an_error() {
        let chess = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        for text in
            ["", "Ke4", "Rd1+x", "--", "0000", "Rxh9", "zz", "Q@e4", "O-O-O-O", "e1", "\u{1F600}", "!"]
        {
            assert!(read(&chess, text).is_err(), "{text}");
        }
    }
}
