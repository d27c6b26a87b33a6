//! Rules of Connect Four, shared by both libraries.

mod ours;
mod theirs;

pub(crate) const COLUMNS: u32 = 7;
pub(crate) const ROWS: u32 = 6;
const STEP: u32 = ROWS + 1;

/// The men of both sides, a bit each, column by column from below: the side to move, and the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Board {
    own: u64,
    other: u64,
}

impl Board {
    /// True if the side that moved last has four in a row.
    fn is_lost(self) -> bool {
        [1, STEP, STEP - 1, STEP + 1].into_iter().any(|step| {
            let pairs = self.other & self.other >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// The columns that are not full, from the centre outwards.
    fn columns(self) -> impl Iterator<Item = u8> {
        const CENTRE_FIRST: [u8; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];
        CENTRE_FIRST.into_iter().filter(move |&column| self.square(column).is_some())
    }

    /// The lowest empty square of a column as a bit; `None` if it is full.
    fn square(self, column: u8) -> Option<u64> {
        let height = ((self.own | self.other) >> (u32::from(column) * STEP) & ((1 << ROWS) - 1)).count_ones();
        (height < ROWS).then(|| 1 << (u32::from(column) * STEP + height))
    }

    fn with(self, column: u8) -> Board {
        Board { own: self.other, other: self.own | self.square(column).unwrap_or_default() }
    }

    /// A number that no other position has.
    fn number(self) -> u64 {
        let bottom = (0..COLUMNS).fold(0, |all, column| all | 1 << (column * STEP));
        self.own + (self.own | self.other) + bottom
    }

    fn men(self) -> u32 {
        (self.own | self.other).count_ones()
    }
}

/// Positions after some columns, and plies to search: won, lost and open ones.
pub(crate) fn positions() -> Vec<(Board, u8)> {
    ["", "44", "4444", "43", "4536", "112233", "1424352", "7766"]
        .into_iter()
        .map(|columns| {
            let play = |board: Board, digit: char| board.with(digit.to_digit(8).unwrap_or(1) as u8 - 1);
            (columns.chars().fold(Board::default(), play), 15)
        })
        .collect()
}

impl crate::Both for Board {
    type Theirs = theirs::Rules;
    type Evaluator = theirs::Nothing;

    /// Won, lost, or neither: the libraries count a win's distance differently.
    fn ours(value: i32) -> i32 {
        value.signum()
    }

    fn theirs(value: i16) -> i32 {
        i32::from(value.signum())
    }
}
