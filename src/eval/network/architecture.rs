//! The architecture of the network (NNUE): inputs, layers and their widths.
//!
//! (768 -> N)x2 -> buckets, as NNUE evaluations of chess engines are built: 768 inputs are 12 pieces on 64
//! squares, seen once by the side to move and once by the other side (both with their own pieces first and
//! moving up the board). Each perspective goes through the same layer of N neurons (the accumulator); the two
//! perspectives side by side, activated, are weighed into one number, with other weights for every eighth of
//! the piece count (output buckets). Two options on top: mirroring (a perspective whose king stands on the
//! files e to h is reflected, which halves what is to be learnt) and king buckets (other weights of the first
//! layer for other places of the own king).
//!
//! Inference and training both take the inputs from here; nothing else may number them.

use crate::choice;
use shakmaty::{Color, File, Piece, Square};
use std::fmt;
use std::str::FromStr;

/// Inputs of a perspective for one king bucket: own and enemy pieces of six kinds on 64 squares.
pub const INPUTS: usize = 768;

/// Output buckets where there are several: by piece count.
pub const OUTPUT_BUCKETS: usize = 8;

/// Neurons of the first layer come in multiples of this, so that loops over them have no remainder.
pub const WIDTH_STEP: usize = 32;

/// Attack neurons come in multiples of this.
pub const ATTACK_STEP: usize = 32;

/// The most attack neurons.
pub const MOST_ATTACK_NEURONS: usize = 128;

/// The most neurons of the first layer.
pub const MOST_WIDTH: usize = 2048;

choice! {
    /// The activation behind the first layer.
    Activation {
        /// Squared clipped ReLU: the square of the value clipped to 0..=1.
        #[default]
        SCRelu = "screlu",
        /// Clipped ReLU: the value clipped to 0..=1.
        CRelu = "crelu",
    }
}

choice! {
    /// King buckets: weights of the first layer by the place of the own king.
    KingBuckets {
        /// The same weights wherever it stands.
        #[default]
        One = "1",
        /// Back rank near the edge, back rank near the centre, second rank, beyond.
        Four = "4",
    }
}

impl KingBuckets {
    /// The number of buckets.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            KingBuckets::One => 1,
            KingBuckets::Four => 4,
        }
    }

    /// The number of buckets of the layout with the most of them.
    const fn most() -> usize {
        let (mut most, mut index) = (0, 0);
        while index < KingBuckets::ALL.len() {
            let count = KingBuckets::ALL[index].count();
            most = if count > most { count } else { most };
            index += 1;
        }
        most
    }
}

/// The most inputs of a perspective, all king buckets counted. Room for inputs is made by this number, so
/// that a new layout of king buckets needs no other change.
pub const MOST_INPUTS: usize = INPUTS * KingBuckets::most();

// Inputs are numbered in 16 bits ([`Perspective::input_of`]).
const _: () = assert!(MOST_INPUTS <= 1 << 16);

/// Widths and options of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Neurons of the first layer for each perspective, a multiple of [`WIDTH_STEP`] up to [`MOST_WIDTH`].
    pub width: usize,
    /// The activation behind it.
    pub activation: Activation,
    /// Weights of the first layer by the own king.
    pub king_buckets: KingBuckets,
    /// True where a perspective whose king stands on the files e to h is reflected.
    pub mirrored: bool,
    /// 1, or [`OUTPUT_BUCKETS`].
    pub output_buckets: usize,
    /// Neurons of the layer behind the attack inputs, a multiple of [`ATTACK_STEP`]; 0 for a network without
    /// them.
    pub attack_neurons: usize,
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Architecture { width, activation, king_buckets, mirrored, output_buckets, attack_neurons } = self;
        write!(
            f,
            "width {width}, activation {activation}, king buckets {king_buckets}, mirrored {mirrored}, \
            output buckets {output_buckets}"
        )?;
        // Files of networks without them are older than the field.
        if *attack_neurons == 0 { Ok(()) } else { write!(f, ", attack neurons {attack_neurons}") }
    }
}

impl FromStr for Architecture {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Architecture, String> {
        fn field<T: FromStr>(parts: &mut std::str::Split<'_, &str>, name: &str) -> Result<T, String> {
            let word = parts.next().and_then(|part| part.strip_prefix(name)?.strip_prefix(' '));
            word.and_then(|word| word.parse().ok())
                .ok_or_else(|| format!("the field '{name}' cannot be read"))
        }
        let parts = &mut text.split(", ");
        let architecture = Architecture {
            width: field(parts, "width")?,
            activation: field(parts, "activation")?,
            king_buckets: field(parts, "king buckets")?,
            mirrored: field(parts, "mirrored")?,
            output_buckets: field(parts, "output buckets")?,
            attack_neurons: if parts.clone().next().is_some_and(|part| part.starts_with("attack")) {
                field(parts, "attack neurons")?
            } else {
                0
            },
        };
        match parts.next() {
            Some(more) => Err(format!("the field '{more}' is not known")),
            None => architecture.check().map(|()| architecture),
        }
    }
}

impl Default for Architecture {
    fn default() -> Architecture {
        Architecture {
            width: 128,
            activation: Activation::default(),
            king_buckets: KingBuckets::default(),
            mirrored: true,
            output_buckets: OUTPUT_BUCKETS,
            attack_neurons: 0,
        }
    }
}

/// One side's perspective of a board: the numbering of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    pub(super) side: Color,
    /// Exclusive-or mask of squares: ranks for black, files where the perspective is reflected.
    flip: u8,
    /// The first input of the king bucket.
    first: usize,
}

impl Architecture {
    /// Checks that a network can have this architecture; the error names the reason.
    ///
    /// # Errors
    /// If the width or the number of output buckets is not supported.
    pub fn check(&self) -> Result<(), String> {
        let width = self.width;
        if width == 0 || width > MOST_WIDTH || !width.is_multiple_of(WIDTH_STEP) {
            return Err(format!("a width of {width} is no multiple of {WIDTH_STEP} up to {MOST_WIDTH}"));
        }
        let neurons = self.attack_neurons;
        if neurons > MOST_ATTACK_NEURONS || !neurons.is_multiple_of(ATTACK_STEP) {
            return Err(format!(
                "{neurons} attack neurons are no multiple of {ATTACK_STEP} up to {MOST_ATTACK_NEURONS}"
            ));
        }
        match self.output_buckets {
            1 | OUTPUT_BUCKETS => Ok(()),
            other => Err(format!("there are 1 or {OUTPUT_BUCKETS} output buckets, not {other}")),
        }
    }

    /// Inputs of a perspective, all king buckets counted.
    #[must_use]
    pub fn inputs(&self) -> usize {
        INPUTS * self.king_buckets.count()
    }

    /// Buckets of all perspectives: two sides, reflected or not, for every king bucket.
    #[must_use]
    pub fn perspective_buckets(&self) -> usize {
        4 * self.king_buckets.count()
    }

    /// The perspective of a side whose king stands on `king`.
    #[must_use]
    pub fn perspective(&self, side: Color, king: Square) -> Perspective {
        let ranks = if side.is_black() { 56 } else { 0 };
        let files = if self.mirrored && king.file() >= File::E { 7 } else { 0 };
        let flip = ranks | files;
        Perspective { side, flip, first: INPUTS * self.king_bucket(u8::from(king) ^ flip) }
    }

    /// The bucket of a king, seen from its own side.
    fn king_bucket(&self, king: u8) -> usize {
        let (rank, file) = (king / 8, king % 8);
        match (self.king_buckets, rank) {
            (KingBuckets::One, _) => 0,
            (KingBuckets::Four, 0) => usize::from(matches!(file, 2..=5)),
            (KingBuckets::Four, 1) => 2,
            (KingBuckets::Four, _) => 3,
        }
    }

    /// The output bucket of a board with so many pieces (kings counted, 2 to 32).
    #[must_use]
    pub fn output_bucket(&self, pieces: usize) -> usize {
        if self.output_buckets == 1 { 0 } else { (pieces.clamp(2, 32) - 1) / 4 }
    }
}

impl Perspective {
    /// The number of this perspective's bucket: every side, king bucket and reflection has its own.
    #[must_use]
    pub fn bucket(&self) -> usize {
        let reflected = usize::from(self.flip & 7 != 0);
        self.first / INPUTS * 4 + usize::from(self.side.is_black()) * 2 + reflected
    }

    /// The input that a piece on a square sets.
    #[must_use]
    pub fn input(&self, piece: Piece, square: Square) -> usize {
        usize::from(self.input_of(piece.color != self.side, piece.role as u16 - 1, u16::from(square)))
    }

    /// The same by numbers: an enemy's piece or an own one, pawn 0 to king 5, a1 0 to h8 63. Made for loops
    /// over arrays.
    #[inline]
    #[must_use]
    pub fn input_of(&self, enemy: bool, role: u16, square: u16) -> u16 {
        // Below MOST_INPUTS: no number is cut short.
        self.first as u16 + (u16::from(enemy) * 6 + role) * 64 + (square ^ u16::from(self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    fn all() -> impl Iterator<Item = Architecture> {
        KingBuckets::ALL.iter().flat_map(|&king_buckets| {
            [false, true].map(|mirrored| Architecture {
                king_buckets,
                mirrored,
                attack_neurons: if mirrored { 0 } else { ATTACK_STEP },
                ..Architecture::default()
            })
        })
    }

    #[test]
    fn inputs_are_told_apart_and_in_range() {
        for architecture in all() {
            for king in Square::ALL {
                let perspective = architecture.perspective(Color::White, king);
                let mut seen = std::collections::HashSet::new();
                for color in Color::ALL {
                    for role in Role::ALL {
                        for square in Square::ALL {
                            let input = perspective.input(Piece { color, role }, square);
                            assert!(input < architecture.inputs() && seen.insert(input));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn both_colours_see_the_same_board() {
        for architecture in all() {
            for king in Square::ALL {
                for square in Square::ALL {
                    for role in Role::ALL {
                        let white = architecture.perspective(Color::White, king);
                        let black = architecture.perspective(Color::Black, king.flip_vertical());
                        let own = Piece { color: Color::White, role };
                        let same = Piece { color: Color::Black, role };
                        assert_eq!(white.input(own, square), black.input(same, square.flip_vertical()));
                    }
                }
            }
        }
    }

    #[test]
    fn a_mirrored_network_sees_a_reflected_board_as_the_same() {
        for architecture in all().filter(|architecture| architecture.mirrored) {
            for king in Square::ALL {
                for square in Square::ALL {
                    let piece = Piece { color: Color::Black, role: Role::Knight };
                    let perspective = architecture.perspective(Color::White, king);
                    let other = architecture.perspective(Color::White, king.flip_horizontal());
                    assert_eq!(
                        perspective.input(piece, square),
                        other.input(piece, square.flip_horizontal())
                    );
                }
            }
        }
    }

    #[test]
    fn output_buckets_cover_every_piece_count() {
        let architecture = Architecture::default();
        let buckets: Vec<usize> = (2..=32).map(|pieces| architecture.output_bucket(pieces)).collect();
        assert_eq!((buckets[0], buckets[30]), (0, 7));
        assert!(buckets.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] <= pair[0] + 1));
    }

    #[test]
    fn an_architecture_comes_back_from_its_text() {
        for architecture in all() {
            assert_eq!(architecture.to_string().parse(), Ok(architecture));
        }
        let text = Architecture::default().to_string();
        for wrong in [text.replace("width", "depth"), text.replace("screlu", "tanh"), text + ", more 1"] {
            assert!(wrong.parse::<Architecture>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn views_have_buckets_of_their_own() {
        for architecture in all() {
            let mut perspectives = std::collections::HashMap::new();
            for side in Color::ALL {
                for king in Square::ALL {
                    let perspective = architecture.perspective(side, king);
                    assert!(perspective.bucket() < architecture.perspective_buckets());
                    assert_eq!(*perspectives.entry(perspective.bucket()).or_insert(perspective), perspective);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        assert!(Architecture::default().check().is_ok());
        for width in [0, 100, 4096] {
            assert!(Architecture { width, ..Architecture::default() }.check().is_err());
        }
        for attack_neurons in [16, 2 * MOST_ATTACK_NEURONS] {
            assert!(Architecture { attack_neurons, ..Architecture::default() }.check().is_err());
        }
        assert!(Architecture { output_buckets: 3, ..Architecture::default() }.check().is_err());
    }
}
