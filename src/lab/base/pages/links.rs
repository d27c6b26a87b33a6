//! Links from a page to other sites. A page loads nothing from them.

/// Address of the analysis board of Lichess for a position. Castling rights by files of rooks (Shredder-FEN)
/// need the board for Chess960.
#[must_use]
pub fn analysis(fen: &str) -> String {
    let by_files = fen
        .split_whitespace()
        .nth(2)
        .is_some_and(|rights| rights.chars().any(|right| matches!(right.to_ascii_uppercase(), 'A'..='H')));
    let variant = if by_files { "chess960/" } else { "" };
    format!("https://lichess.org/analysis/{variant}{}", fen.trim().replace(' ', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
