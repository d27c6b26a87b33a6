//! Schedule of a tournament: which two players meet, and in which opening. Every two that meet play the same
//! openings, and an opening is played by all before the next one begins: a tournament that is interrupted has
//! about as many games of every two players. Players are indices here.

/// Schedule of a tournament: the pairings of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    meetings: Vec<[usize; 2]>,
    players: usize,
}

impl Schedule {
    /// Everyone meets everyone else once; in a gauntlet the first player meets all others, and they do not
    /// meet each other. `players` is at least two.
    #[must_use]
    pub fn new(players: usize, gauntlet: bool) -> Schedule {
        let firsts = if gauntlet { 1 } else { players };
        let meetings = (0..firsts).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect();
        Schedule { meetings, players }
    }

    /// The players who meet, by their indices: each pair of players once.
    #[must_use]
    pub fn meetings(&self) -> &[[usize; 2]] {
        &self.meetings
    }

    /// Opening and meeting, by their numbers from 0, of a pair of games.
    #[must_use]
    pub fn at(&self, number: usize) -> (usize, usize) {
        let meetings = self.meetings.len().max(1);
        (number / meetings, number % meetings)
    }

    /// True for a single meeting: a match.
    #[must_use]
    pub fn is_match(&self) -> bool {
        self.players == 2
    }

    /// Kind of the tournament; of two players it is a match.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match (self.players, self.meetings.len()) {
            (2, _) => "match",
            (players, meetings) if meetings + 1 == players => "gauntlet",
            _ => "round robin",
        }
    }
}

/// The letter of a player in reports, from its index: A to Z, then AA, AB, ...
#[must_use]
pub fn letter(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    let before = (index / 26).checked_sub(1).map_or(String::new(), letter);
    format!("{before}{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_players_meet_in_every_opening() {
        for players in 2..9 {
            let schedule = Schedule::new(players, false);
            let meetings = schedule.meetings();
            assert_eq!(meetings.len(), players * (players - 1) / 2);
            let mut met: Vec<(usize, [usize; 2])> = (0..3 * meetings.len())
                .map(|number| schedule.at(number))
                .map(|(opening, meeting)| (opening, meetings[meeting]))
                .collect();
            assert!(met.is_sorted_by_key(|(opening, _)| *opening), "an opening is played by all at once");
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), 3 * meetings.len());
            assert!(met.iter().all(|(opening, [a, b])| *opening < 3 && a < b && *b < players));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all_others() {
        let schedule = Schedule::new(4, true);
        assert_eq!(schedule.meetings(), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!((schedule.kind(), schedule.at(7)), ("gauntlet", (2, 1)));
        let round_robin = Schedule::new(4, false);
        assert_eq!((round_robin.kind(), Schedule::new(2, false).kind()), ("round robin", "match"));
        assert!(Schedule::new(2, false).is_match() && !round_robin.is_match());
    }

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!(
            [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letter),
            ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
        );
    }
}
