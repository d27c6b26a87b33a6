//! Summary tables of an analysis: a row for each game, and one for each player. What is kept is bounded,
//! however many games there are: so many rows, and so many players.

use super::annotated::Annotated;
use super::marks::Side;
use crate::lab::base::pages::table::{Table, count};
use shakmaty::Color;
use std::collections::BTreeMap;

/// Most games that have a row.
pub const MOST_ROWS: usize = 5_000;

/// Most players that are counted, and most that are shown.
const MOST_PLAYERS: usize = 10_000;
const MOST_SHOWN: usize = 50;

/// Most games that could not be read and are named.
const MOST_NAMED: usize = 20;

/// Letters of a name in a table.
const MOST_LETTERS: usize = 60;

/// The games so far.
#[derive(Default)]
pub struct Summary {
    /// Games that were analysed.
    pub games: usize,
    /// Games that could not be read.
    pub left_out: LeftOutGames,
    /// Games of the input, if their number is known.
    pub total: Option<usize>,
    rows: Vec<Row>,
    players: BTreeMap<String, (usize, Side)>,
}

/// Games that could not be read: how many for which reason, and the first of them.
#[derive(Default)]
pub struct LeftOutGames {
    by_reason: Vec<(&'static str, usize)>,
    named: Vec<String>,
}

impl LeftOutGames {
    /// Counts a game by the kind of the reason. True if it is among those that are named, by place and
    /// reason.
    pub fn add(&mut self, kind: &'static str, why: &str) -> bool {
        match self.by_reason.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, games)) => *games += 1,
            None => self.by_reason.push((kind, 1)),
        }
        let is_named = self.named.len() < MOST_NAMED;
        if is_named {
            self.named.push(why.to_owned());
        }
        is_named
    }

    /// Their number.
    #[must_use]
    pub fn count(&self) -> usize {
        self.by_reason.iter().map(|(_, games)| games).sum()
    }

    /// Place and reason of the first of them.
    #[must_use]
    pub fn named(&self) -> &[String] {
        &self.named
    }

    /// `, 3 left out (2 for contradicting results, 1 for another variant)`; nothing where there is none.
    fn in_words(&self) -> String {
        let reasons: Vec<String> = self
            .by_reason
            .iter()
            .map(|(kind, games)| format!("{} for {kind}", count(*games as u64)))
            .collect();
        match self.count() {
            0 => String::new(),
            games => format!(", {} left out ({})", count(games as u64), reasons.join(", ")),
        }
    }
}

/// A game in the table.
pub struct Row {
    /// Its number in the input, from 1.
    pub number: usize,
    /// White's name and Black's.
    pub names: [String; 2],
    /// The result as PGN writes it.
    pub result: &'static str,
    /// The name of the opening, or empty.
    pub opening: String,
    /// Moves, those of both sides as one.
    pub moves: usize,
    /// White's moves and Black's, summed up.
    pub sides: [Side; 2],
}

impl Row {
    /// Marked moves of a side: `?!`, `?` and `??`.
    #[must_use]
    pub fn marks_of(&self, side: &Side) -> String {
        side.marks.map(|marks| marks.to_string()).join(" ")
    }
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, annotated: &Annotated) {
        self.games += 1;
        let names = Color::ALL.map(|color| shortened(annotated.player(color)));
        let sides = Color::ALL.map(|color| annotated.side(color));
        for (name, side) in names.iter().zip(&sides).filter(|(name, _)| *name != "?") {
            if self.players.len() < MOST_PLAYERS || self.players.contains_key(name) {
                let (games, sum) = self.players.entry(name.clone()).or_default();
                *games += 1;
                sum.add(side);
            }
        }
        if self.rows.len() < MOST_ROWS {
            let opening = annotated.known.opening.as_ref();
            let opening = annotated.tag("Opening").or(opening.map(|opening| opening.name.as_str()));
            self.rows.push(Row {
                number: annotated.number,
                names,
                result: annotated.result(),
                opening: opening.map(shortened).unwrap_or_default(),
                moves: annotated.game.moves.len().div_ceil(2),
                sides,
            });
        }
    }

    /// The rows that are kept.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A row for each of the first `most` games; accuracy and marks are White's, then Black's.
    #[must_use]
    pub fn by_game(&self, most: usize) -> Table {
        let headings = ["game", "White", "Black", "opening", "result", "moves", "accuracy", "?! ? ??"];
        let mut table = Table::new(4, headings.into_iter().chain(["accuracy", "?! ? ??"]));
        for row in self.rows.iter().take(most) {
            let mut cells = vec![row.number.to_string()];
            cells.extend(row.names.iter().cloned());
            cells.extend([row.opening.clone(), row.result.to_owned(), row.moves.to_string()]);
            row.sides.iter().for_each(|side| cells.extend([percent(side.accuracy()), row.marks_of(side)]));
            table.row(cells);
        }
        table
    }

    /// A row for each player of more than one game, those of most games first.
    #[must_use]
    pub fn by_player(&self) -> Table {
        let headings = [
            "player",
            "games",
            "moves",
            "accuracy",
            "loss per move",
            "?! per game",
            "? per game",
            "?? per game",
        ];
        let mut table = Table::new(1, headings);
        let mut players: Vec<_> = self.players.iter().filter(|(_, (games, _))| *games > 1).collect();
        players.sort_by_key(|(_, (games, _))| std::cmp::Reverse(*games));
        for (name, (games, side)) in players.into_iter().take(MOST_SHOWN) {
            let mut cells = vec![name.clone(), count(*games as u64), count(side.moves as u64)];
            cells.push(percent(side.accuracy()));
            cells.push(side.loss().map_or_else(String::new, |loss| format!("{:.2} %", 100.0 * loss)));
            cells.extend(side.marks.map(|marks| format!("{:.2}", marks as f64 / *games as f64)));
            table.row(cells);
        }
        table
    }

    /// Number of games beyond the rows, in words; `None` if there are none.
    #[must_use]
    pub fn beyond(&self, rows: usize) -> Option<String> {
        let more = self.games.saturating_sub(rows.min(self.rows.len()));
        (more > 0).then(|| format!("and {} more", count(more as u64)))
    }

    /// Games that are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.games + self.left_out.count()
    }

    /// The counts in one line. Where games are missing, and it is known how many there are, it says so.
    #[must_use]
    pub fn line(&self) -> String {
        let total = self.total.filter(|total| *total > self.done());
        let of = total.map_or_else(String::new, |total| format!(" of {}", count(total as u64)));
        format!("games: {}{of} analysed{}", count(self.games as u64), self.left_out.in_words())
    }
}

/// Per cent with one digit behind the point; nothing where there is none.
#[must_use]
pub fn percent(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.1}"))
}

fn shortened(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::annotated;
    use super::*;

    #[test]
    fn games_and_players_are_counted() {
        let text = "[White \"One\"]\n[Black \"Two | three\"]\n\n1. e4 e5 2. Bb5 *";
        let game = annotated(text, &[0, 0, 0, 40], &["e2e4", "e7e5", "g1f3"]);
        let mut summary = Summary::default();
        (0..3).for_each(|_| summary.add(&game));
        for kind in ["a damaged tag", "another variant", "a damaged tag"] {
            assert!(summary.left_out.add(kind, "why"));
        }
        let games = summary.by_game(2).to_string();
        assert_eq!(games.lines().count(), 4, "{games}");
        assert!(games.contains("| 1    | One   | Two \\| three |"), "{games}");
        assert_eq!(summary.beyond(2).as_deref(), Some("and 1 more"));
        assert_eq!(summary.beyond(MOST_ROWS), None);
        let players = summary.by_player().to_string();
        assert!(players.contains("| One          |     3 |     6 |"), "{players}");
        let left_out = "3 left out (2 for a damaged tag, 1 for another variant)";
        assert_eq!(summary.line(), format!("games: 3 analysed, {left_out}"));
        summary.total = Some(6);
        assert_eq!(summary.line(), format!("games: 3 analysed, {left_out}"), "all are done");
        summary.total = Some(7);
        assert_eq!(summary.line(), format!("games: 3 of 7 analysed, {left_out}"));
    }

    #[test]
    fn what_is_kept_of_many_games_is_bounded() {
        let mut summary = Summary::default();
        for number in 0..MOST_PLAYERS + 50 {
            let text = format!("[White \"{number}\"]\n\n*");
            summary.add(&annotated(&text, &[0], &[]));
        }
        assert_eq!((summary.rows.len(), summary.players.len()), (MOST_ROWS, MOST_PLAYERS));
        assert_eq!(summary.games, MOST_PLAYERS + 50);
        let named = (0..MOST_NAMED + 5).filter(|_| summary.left_out.add("a damaged tag", "why")).count();
        assert_eq!((named, summary.left_out.count()), (MOST_NAMED, MOST_NAMED + 5));
    }
}
