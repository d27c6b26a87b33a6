//! Links from a page to other sites. A page loads nothing from them.

use crate::chess::game::Game;
use shakmaty::CastlingMode;

/// Address of the analysis board of Lichess for a position. Castling from other squares than those of
/// standard chess needs the board for Chess960.
#[must_use]
pub fn analysis(fen: &str) -> String {
    let chess960 = Game::parse_fen(fen).is_ok_and(|game| game.castling() == CastlingMode::Chess960);
    let variant = if chess960 { "chess960/" } else { "" };
    format!("https://lichess.org/analysis/{variant}{}", fen.trim().replace(' ', "_"))
}

/// True for an address of the web: a text of a file that a page may show as a link.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let may_be_in_one = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(may_be_in_one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_addresses_of_the_web_are_links() {
        for (text, is_one) in [
            ("https://lichess.org/AbCd1234#5", true),
            ("http://a.example/?x=1&y=2", true),
            ("https://", false),
            ("javascript:alert(1)", false),
            ("Berlin", false),
            ("see https://lichess.org/", false),
            ("https://a.example/ b", false),
            ("https://a.example/\"onclick=", false),
            ("https://a.example/ü", false),
        ] {
            assert_eq!(is_address(text), is_one, "{text}");
        }
    }

    #[test]
    fn spaces_of_a_fen_become_underscores() {
        assert_eq!(
            analysis("8/8/4k3/8/8/4K3/8/7R w - - 0 1"),
            "https://lichess.org/analysis/8/8/4k3/8/8/4K3/8/7R_w_-_-_0_1"
        );
        assert_eq!(
            analysis("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"),
            "https://lichess.org/analysis/chess960/1r2k1r1/8/8/8/8/8/8/1R2K1R1_w_GBgb_-_0_1"
        );
        let chess960 = Game::parse_fen("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1").unwrap();
        assert!(analysis(&chess960.fen()).starts_with("https://lichess.org/analysis/chess960/nrbkqbrn/"));
    }
}
