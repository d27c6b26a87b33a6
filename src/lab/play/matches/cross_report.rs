//! Result of a tournament of three players or more: standings with ratings, the cross table, every two
//! players; as text, as CSV, and as JSON (the fields of [`CrossReport`]).

use super::report::{Circumstances, Score, interval, off_the_limit};
use super::schedule::Schedule;
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::records::rows;
use crate::lab::base::statistics::elo::FEWEST;
use crate::lab::base::statistics::ratings::{Encounter, PlayerRating, ratings};
use crate::lab::base::terminal::console::Failure;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Method of the ratings and intervals, in words.
const METHOD: &str = "maximum likelihood of the logistic model over all games, a draw as half a win; 95 % \
interval from the spread between openings (sandwich estimate)";

/// A tournament and its result.
#[derive(Clone, Debug, Serialize)]
pub struct CrossReport {
    /// Name and version of the program.
    program: String,
    /// `round robin` or `gauntlet`.
    kind: &'static str,
    /// The players, the first of the table first.
    players: Vec<PlayerResult>,
    /// Every two players that were to meet, in the order of the command line.
    meetings: Vec<MeetingResult>,
    /// Method of the ratings and intervals, in words.
    method: &'static str,
    /// The player whose rating is 0; `null` where that is the mean of all that are rated.
    anchor: Option<String>,
    /// Openings of which at least one pair of games is finished.
    openings_played: usize,
    /// Everything that decides a game, a line each.
    conditions: Vec<String>,
    /// Pairs of games that were asked for.
    pairs_planned: usize,
    /// Pairs of games that were finished.
    pairs_played: u64,
    /// True if Ctrl-C ended the tournament.
    interrupted: bool,
    /// True if scores may end a game; false if games are played to the end.
    adjudicated: bool,
    /// Number of games by the reason of their end.
    games_ended_by: BTreeMap<&'static str, u64>,
    /// The limit of nodes a move; `null` if there is none.
    node_limit: Option<u64>,
}

/// A player's result.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerResult {
    /// Its name in games and reports.
    name: String,
    /// Its place on the command line, from 0.
    #[serde(skip)]
    index: usize,
    /// Rating in logistic Elo; `null` if there is none.
    elo: Option<f64>,
    /// Half its 95 % interval; `null` while it is not known.
    elo_margin: Option<f64>,
    /// Why there is no rating, in words; `null` if there is one.
    unrated: Option<&'static str>,
    /// Games won.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost.
    lost: u64,
    /// A win is 1, a draw 1/2.
    points: f64,
    /// Games lost on time.
    losses_on_time: u64,
    /// Mean nodes a move, as the player counts them.
    mean_nodes: f64,
}

impl PlayerResult {
    fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Mean score of a game, 0 to 1; an even one without a game.
    fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points / self.games() as f64 }
    }
}

/// Games of two players, from the side of the first.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingResult {
    /// Their names.
    players: [String; 2],
    /// Their places on the command line, from 0.
    #[serde(skip)]
    indices: [usize; 2],
    /// Games won by the first.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost by the first.
    lost: u64,
    /// Points of the first.
    points: f64,
    /// Pairs of games in which the first scored 0, 1/2, 1, 3/2 and 2 points.
    pairs_by_points: [u64; 5],
    /// Difference in Elo by these games alone; `null` without a game, or if one side took every point.
    elo: Option<f64>,
    /// Its 95 % interval; `null` below ten pairs, or if all have the same score.
    elo_interval: Option<(f64, f64)>,
}

impl MeetingResult {
    fn new(indices: [usize; 2], names: &[String], score: &Score) -> MeetingResult {
        let ([won, drawn, lost], pairs) = (score.games, score.pairs);
        MeetingResult {
            players: indices.map(|index| names[index].clone()),
            indices,
            won,
            drawn,
            lost,
            points: won as f64 + drawn as f64 / 2.0,
            pairs_by_points: pairs.0,
            elo: Some(pairs.elo()).filter(|elo| elo.is_finite() && pairs.count() > 0),
            elo_interval: pairs.interval(),
        }
    }

    fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Points of one of the two.
    fn points_of(&self, index: usize) -> f64 {
        if self.indices[0] == index { self.points } else { self.games() as f64 - self.points }
    }
}

impl CrossReport {
    /// The result of a tournament: the scores of every meeting, and the games of every opening.
    #[must_use]
    pub fn new(
        names: &[String],
        schedule: &Schedule,
        (scores, encounters): (&[Score], &[Encounter]),
        anchor: Option<usize>,
        circumstances: Circumstances,
    ) -> CrossReport {
        let Circumstances { conditions, adjudicated, node_limit, pairs_planned, interrupted } = circumstances;
        let standings = ratings(names.len(), encounters, anchor);
        let pairs = || schedule.meetings().iter().zip(scores);
        let mut games_ended_by = BTreeMap::new();
        for (reason, games) in scores.iter().flat_map(|score| &score.ends) {
            *games_ended_by.entry(*reason).or_default() += games;
        }
        CrossReport {
            program: concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned(),
            kind: schedule.kind(),
            players: in_order(names, &standings, pairs().map(|(&meeting, score)| (meeting, score))),
            meetings: pairs().map(|(&meeting, score)| MeetingResult::new(meeting, names, score)).collect(),
            method: METHOD,
            anchor: anchor.filter(|&one| standings[one].elo().is_some()).map(|one| names[one].clone()),
            openings_played: encounters.iter().map(|one| one.sample).collect::<BTreeSet<_>>().len(),
            conditions,
            pairs_planned,
            pairs_played: scores.iter().map(|score| score.pairs.count()).sum(),
            interrupted,
            adjudicated,
            games_ended_by,
            node_limit,
        }
    }

    /// Standings and points against every other player, a line for each player; what is not known is empty.
    ///
    /// # Errors
    /// If it cannot be written as CSV.
    pub fn csv(&self) -> Result<String, Failure> {
        let fixed = ["rank", "player", "elo", "elo_margin", "games", "won", "drawn", "lost", "points"];
        let others = self.players.iter().map(|player| player.name.as_str());
        let names: Vec<&str> = fixed.into_iter().chain(others).collect();
        let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.2}"));
        let row = |(rank, player): (usize, &PlayerResult)| {
            let PlayerResult { name, elo, elo_margin, won, drawn, lost, points, .. } = player;
            let own = [
                (rank + 1).to_string(),
                name.clone(),
                number(*elo),
                number(*elo_margin),
                player.games().to_string(),
                won.to_string(),
                drawn.to_string(),
                lost.to_string(),
                points.to_string(),
            ];
            let against = self.players.iter().map(|other| {
                let met = self.meeting(player, other);
                met.map_or(String::new(), |met| met.points_of(player.index).to_string())
            });
            own.into_iter().chain(against).collect()
        };
        rows::table(&names, &self.players.iter().enumerate().map(row).collect::<Vec<_>>())
    }

    /// The games of two players; `None` if there are none.
    fn meeting(&self, one: &PlayerResult, other: &PlayerResult) -> Option<&MeetingResult> {
        let met = |meeting: &&MeetingResult| {
            meeting.indices == [one.index, other.index] || meeting.indices == [other.index, one.index]
        };
        self.meetings.iter().find(met).filter(|meeting| meeting.games() > 0)
    }

    /// The report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let how = if self.adjudicated { "with adjudication" } else { "played to the end" };
        let mut text = format!("# Tournament: {} of {} players, {how}\n\n", self.kind, self.players.len());
        if self.pairs_played == 0 {
            return text + "No pair is finished\n";
        }
        if self.interrupted {
            let _ =
                writeln!(text, "Interrupted after {} of {} pairs\n", self.pairs_played, self.pairs_planned);
        }
        let _ = write!(text, "{}\n{}\n", self.standings(), self.about_ratings());
        let ends: Vec<String> = self.games_ended_by.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let _ = writeln!(text, "Games ended by: {}", ends.join(", "));
        let late = self.players.iter().filter(|player| player.losses_on_time > 0);
        let late: Vec<String> =
            late.map(|player| format!("{} {}", player.name, player.losses_on_time)).collect();
        if !late.is_empty() {
            let _ = writeln!(text, "Losses on time: {}", late.join(", "));
        }
        for player in &self.players {
            text += &off_the_limit(&player.name, player.mean_nodes, self.node_limit);
        }
        let points = "## Points of each against each, of so many games";
        let _ =
            write!(text, "\n{points}\n\n{}\n## Every two players\n\n{}", self.cross_table(), self.pairs());
        text
    }

    fn standings(&self) -> Table {
        let numbers = ["Elo", "±", "games", "won", "drawn", "lost", "points", "score, %"];
        let nodes = self.node_limit.map(|limit| format!("nodes a move, limit {limit}"));
        let headings = ["rank", "player"].into_iter().chain(numbers).map(str::to_owned).chain(nodes.clone());
        let mut table = Table::new(2, headings);
        for (rank, player) in self.players.iter().enumerate() {
            let margin = player.elo_margin.map_or("-".to_owned(), |margin| format!("{margin:.1}"));
            let cells = [
                (rank + 1).to_string(),
                player.name.clone(),
                player.elo.map_or("-".to_owned(), signed),
                margin,
                player.games().to_string(),
                player.won.to_string(),
                player.drawn.to_string(),
                player.lost.to_string(),
                player.points.to_string(),
                percent(player.score()),
            ];
            table.row(cells.into_iter().chain(nodes.is_some().then(|| format!("{:.0}", player.mean_nodes))));
        }
        table
    }

    /// Method of the ratings, and the reason of every player who has none.
    fn about_ratings(&self) -> String {
        let rated = || self.players.iter().filter(|player| player.elo.is_some());
        if rated().count() == 0 {
            return "There are no ratings: no two players took points from each other, directly or over \
            others\n"
                .to_owned();
        }
        let zero = self.anchor.as_deref().unwrap_or("the mean of the rated players");
        let mut text = format!("Elo: {METHOD}; 0 is {zero}\n");
        let free = |player: &&PlayerResult| self.anchor.as_ref() != Some(&player.name);
        if rated().filter(free).all(|player| player.elo_margin.is_none()) {
            let _ = writeln!(
                text,
                "The intervals are not known: it takes at least {FEWEST} openings, and not all of the same \
                results"
            );
        }
        for player in &self.players {
            if let Some(why) = player.unrated {
                let _ = writeln!(text, "{} has no rating: {why}", player.name);
            }
        }
        text
    }

    fn cross_table(&self) -> Table {
        let places = (1..=self.players.len()).map(|place| place.to_string());
        let mut table = Table::new(2, ["rank", "player"].map(str::to_owned).into_iter().chain(places));
        for (rank, player) in self.players.iter().enumerate() {
            let cells = self.players.iter().map(|other| {
                let met = self.meeting(player, other);
                met.map_or(String::new(), |met| format!("{}/{}", met.points_of(player.index), met.games()))
            });
            table.row([(rank + 1).to_string(), player.name.clone()].into_iter().chain(cells));
        }
        table
    }

    fn pairs(&self) -> Table {
        let numbers = ["games", "won", "drawn", "lost", "points", "Elo", "95 % interval"];
        let mut table = Table::new(2, ["first", "second"].into_iter().chain(numbers));
        for meeting in &self.meetings {
            let [first, second] = &meeting.players;
            let counts = [meeting.games(), meeting.won, meeting.drawn, meeting.lost];
            let cells = [first.clone(), second.clone()].into_iter().chain(counts.map(|n| n.to_string()));
            table.row(cells.chain([
                meeting.points.to_string(),
                meeting.elo.map_or("-".to_owned(), signed),
                interval(meeting.elo_interval),
            ]));
        }
        table
    }
}

/// The players' results by their standings: those that nobody took a point from, those with a rating, those
/// that took no point, and those that nothing compares with the rated ones; among equals by their scores.
fn in_order<'a>(
    names: &[String],
    standings: &[PlayerRating],
    meetings: impl Iterator<Item = ([usize; 2], &'a Score)>,
) -> Vec<PlayerResult> {
    let mut players = player_results(names, standings, meetings);
    let group = |player: &PlayerResult| match standings[player.index] {
        PlayerRating::NoUpperBound => 0,
        PlayerRating::Known { .. } => 1,
        PlayerRating::NoLowerBound => 2,
        PlayerRating::Unconnected => 3,
    };
    let strength = |player: &PlayerResult| (player.elo.unwrap_or(0.0), player.score());
    players.sort_by(|a, b| {
        let ((elo_a, score_a), (elo_b, score_b)) = (strength(a), strength(b));
        group(a).cmp(&group(b)).then(elo_b.total_cmp(&elo_a)).then(score_b.total_cmp(&score_a))
    });
    players
}

/// The sums of every player's meetings, in the order of the command line.
fn player_results<'a>(
    names: &[String],
    standings: &[PlayerRating],
    meetings: impl Iterator<Item = ([usize; 2], &'a Score)>,
) -> Vec<PlayerResult> {
    let player = |(index, name): (usize, &String)| PlayerResult {
        name: name.clone(),
        index,
        elo: standings[index].elo(),
        elo_margin: standings[index].margin(),
        unrated: why_unrated(standings[index]),
        ..PlayerResult::default()
    };
    let mut players: Vec<PlayerResult> = names.iter().enumerate().map(player).collect();
    let mut efforts = vec![(0, 0); names.len()];
    for (meeting, score) in meetings {
        let [won, drawn, lost] = score.games;
        for (side, (index, won, lost)) in
            [(meeting[0], won, lost), (meeting[1], lost, won)].into_iter().enumerate()
        {
            let player = &mut players[index];
            (player.won, player.drawn, player.lost) =
                (player.won + won, player.drawn + drawn, player.lost + lost);
            player.losses_on_time += score.time_losses[side];
            efforts[index] = (efforts[index].0 + score.moves[side], efforts[index].1 + score.nodes[side]);
        }
    }
    for (player, (moves, nodes)) in players.iter_mut().zip(efforts) {
        player.points = player.won as f64 + player.drawn as f64 / 2.0;
        player.mean_nodes = nodes as f64 / moves.max(1) as f64;
    }
    players
}

fn why_unrated(rating: PlayerRating) -> Option<&'static str> {
    match rating {
        PlayerRating::Known { .. } => None,
        PlayerRating::NoUpperBound => {
            Some("no rated player took a point from it, so that it has no upper bound")
        }
        PlayerRating::NoLowerBound => {
            Some("it took no point from a rated player, so that it has no lower bound")
        }
        PlayerRating::Unconnected => Some("no games compare it with rated players"),
    }
}

/// Elo with its sign; what is rounded to nothing is +0.0.
fn signed(elo: f64) -> String {
    format!("{:+.1}", (elo * 10.0).round() / 10.0 + 0.0)
}

#[cfg(test)]
mod tests;
