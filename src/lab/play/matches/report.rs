//! Result of a match: as text, as a line on the way, and as JSON (the fields of [`MatchReport`]).

use crate::lab::base::statistics::elo::{self, FEWEST, Pairs};
use crate::lab::play::matches::pair::{COLOURS, Pair};
use crate::lab::play::referee::{FinishedGame, Termination};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts of the pairs played so far.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// The pairs by their result for the first player.
    pub pairs: Pairs,
    /// Games won, drawn and lost by the first player.
    pub games: [u64; 3],
    /// Games by the reason of their end.
    pub ends: BTreeMap<&'static str, u64>,
    /// Losses on time of each player.
    pub time_losses: [u64; 2],
    /// Moves of each player.
    pub moves: [u64; 2],
    /// Nodes of the searches of each player.
    pub nodes: [u64; 2],
}

/// Conditions and length of a match or a tournament, for both kinds of reports.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// Everything that decides a game, a line each.
    pub conditions: Vec<String>,
    /// True if scores may end a game.
    pub adjudicated: bool,
    /// The limit of nodes a move.
    pub node_limit: Option<u64>,
    /// Pairs of games that were asked for.
    pub pairs_planned: usize,
    /// True if Ctrl-C has ended it.
    pub interrupted: bool,
}

impl Score {
    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        let half_points = pair.half_points();
        half_points.iter().for_each(|&half_points| self.games[2 - half_points] += 1);
        self.pairs.0[half_points[0] + half_points[1]] += 1;
        for (game, first) in pair.games.iter().zip(COLOURS) {
            *self.ends.entry(game.reason.name()).or_default() += 1;
            if let FinishedGame { reason: Termination::Time, winner: Some(winner), .. } = game {
                self.time_losses[usize::from(*winner == first)] += 1;
            }
            let begins = pair.opening.position().turn();
            for (index, ply) in game.plies.iter().enumerate() {
                let mover = if index.is_multiple_of(2) { begins } else { !begins };
                let player = usize::from(mover != first);
                self.moves[player] += 1;
                self.nodes[player] += ply.nodes;
            }
        }
    }

    /// The score so far, in a line; empty without a pair.
    #[must_use]
    pub fn line(&self, sprt: Option<(f64, f64)>) -> String {
        if self.pairs.count() == 0 {
            return String::new();
        }
        let ([wins, draws, losses], elo) = (self.games, self.pairs.elo());
        let interval = interval(self.pairs.interval());
        let superiority = percent(self.pairs.superiority());
        let mut text = format!("A +{wins} ={draws} -{losses}, Elo {elo:+.1} {interval}, LOS {superiority}");
        if let Some(sprt) = sprt.map(|hypotheses| Sprt::of(&self.pairs, hypotheses)) {
            let _ = write!(text, ", LLR {}", sprt.ratio_and_bounds());
        }
        text
    }
}

/// The 95 % interval of Elo as text.
#[must_use]
pub fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or("[-, -]".to_owned(), |(least, most)| format!("[{least:+.1}, {most:+.1}]"))
}

/// A warning about a player whose mean nodes a move are off the limit by a factor of two, or nothing. Some
/// engines do not keep to it, and games against them are none at equal nodes.
#[must_use]
pub fn off_the_limit(player: &str, mean: f64, limit: Option<u64>) -> String {
    const FACTOR: f64 = 2.0;
    let share = limit.map(|limit| mean / limit as f64);
    match share.filter(|share| !(FACTOR.recip()..=FACTOR).contains(share)) {
        Some(share) => {
            format!("Warning: {player} searches {share:.2} times the nodes that it is given\n")
        }
        None => String::new(),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// State of a sequential probability ratio test.
#[derive(Clone, Debug, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    /// Logarithm of the likelihood ratio; `null` while it is not known, as with `elo_interval`.
    log_likelihood_ratio: Option<f64>,
    /// Below the first `elo0` is accepted, above the second `elo1`.
    bounds: (f64, f64),
    /// `undecided`, `elo0 accepted` or `elo1 accepted`.
    verdict: &'static str,
}

impl Sprt {
    /// The test of two differences in logistic Elo.
    #[must_use]
    pub fn of(pairs: &Pairs, (elo0, elo1): (f64, f64)) -> Sprt {
        let (lower, upper) = elo::bounds();
        let ratio = pairs.log_likelihood_ratio(elo0, elo1);
        let verdict = match ratio {
            Some(ratio) if ratio >= upper => "elo1 accepted",
            Some(ratio) if ratio <= lower => "elo0 accepted",
            _ => "undecided",
        };
        Sprt { elo0, elo1, log_likelihood_ratio: ratio, bounds: (lower, upper), verdict }
    }

    /// True if the match can end.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != "undecided"
    }

    fn ratio_and_bounds(&self) -> String {
        let ratio = self.log_likelihood_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        format!("{ratio} ({:.2}, {:.2})", self.bounds.0, self.bounds.1)
    }

    fn line(&self) -> String {
        let Sprt { elo0, elo1, verdict, .. } = self;
        let verdict = match *verdict {
            "elo0 accepted" => format!("{elo0} Elo is accepted"),
            "elo1 accepted" => format!("{elo1} Elo is accepted"),
            other => other.to_owned(),
        };
        format!("SPRT of {elo0} and {elo1} Elo: {}, {verdict}\n", self.ratio_and_bounds())
    }
}

/// A match and its result. Elo is logistic, from the side of the first player.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Name and version of the program.
    program: String,
    /// The players, as on the command line.
    players: [String; 2],
    /// Everything that decides a game, a line each.
    conditions: Vec<String>,
    /// Pairs of games that were asked for.
    pairs_planned: usize,
    /// Pairs of games that were finished.
    pairs_played: u64,
    /// True if Ctrl-C ended the match.
    interrupted: bool,
    /// Games won by the first player.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost by the first player.
    lost: u64,
    /// Pairs in which the first player scored 0, 1/2, 1, 3/2 and 2 points.
    pairs_by_points: [u64; 5],
    /// Difference in Elo; `null` without a pair, or if one side took every point.
    elo: Option<f64>,
    /// Mean score of the first player, 0 to 1; `null` without a pair.
    score: Option<f64>,
    /// Half its 95 % interval; `null` as `elo_interval`.
    score_margin: Option<f64>,
    /// Normalised Elo (nElo), and half its 95 % interval; `null` as `elo_interval`.
    normalized_elo: Option<(f64, f64)>,
    /// True if scores may end a game; false if games are played to the end.
    adjudicated: bool,
    /// 95 % interval of the difference; `null` while there are too few pairs, or all have the same score.
    elo_interval: Option<(f64, f64)>,
    /// Likelihood that the first player is stronger, 0 to 1; `null` as `elo_interval`.
    likelihood_of_superiority: Option<f64>,
    /// The SPRT; `null` if none was asked for.
    sprt: Option<Sprt>,
    /// Number of games by the reason of their end.
    games_ended_by: BTreeMap<&'static str, u64>,
    /// Losses on time of each player.
    losses_on_time: [u64; 2],
    /// The limit of nodes a move; `null` if there is none.
    node_limit: Option<u64>,
    /// Mean nodes a move of each player, as it counts them.
    mean_nodes: [f64; 2],
}

impl MatchReport {
    /// The result of a match.
    #[must_use]
    pub fn new(
        players: &[String; 2],
        score: &Score,
        sprt: Option<(f64, f64)>,
        circumstances: Circumstances,
    ) -> MatchReport {
        let Circumstances { conditions, adjudicated, node_limit, pairs_planned, interrupted } = circumstances;
        let Score { pairs, games: [won, drawn, lost], ends, time_losses, moves, nodes } = score;
        let mean = |player: usize| nodes[player] as f64 / moves[player].max(1) as f64;
        MatchReport {
            program: concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned(),
            players: players.clone(),
            conditions,
            pairs_planned,
            pairs_played: pairs.count(),
            interrupted,
            won: *won,
            drawn: *drawn,
            lost: *lost,
            pairs_by_points: pairs.0,
            elo: Some(pairs.elo()).filter(|elo| elo.is_finite() && pairs.count() > 0),
            score: (pairs.count() > 0).then(|| pairs.moments().0),
            score_margin: pairs.score_margin(),
            normalized_elo: pairs.normalized_elo(),
            adjudicated,
            elo_interval: pairs.interval(),
            likelihood_of_superiority: pairs.superiority(),
            sprt: sprt.map(|hypotheses| Sprt::of(pairs, hypotheses)),
            games_ended_by: ends.clone(),
            losses_on_time: *time_losses,
            node_limit,
            mean_nodes: [mean(0), mean(1)],
        }
    }

    /// The mean nodes a move beside their limit, if there is one.
    fn nodes(&self) -> String {
        let Some(limit) = self.node_limit else { return String::new() };
        let [a, b] = self.mean_nodes;
        let warnings = [("A", a), ("B", b)].map(|(player, mean)| off_the_limit(player, mean, Some(limit)));
        format!("Nodes a move, limit {limit}: A {a:.0}, B {b:.0}\n{}", warnings.concat())
    }

    /// The report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let how = if self.adjudicated { "with adjudication" } else { "played to the end" };
        let mut text = format!("# Tournament: {} against {}, {how}\n\n", self.players[0], self.players[1]);
        if self.pairs_played == 0 {
            return text + "No pair is finished\n";
        }
        if self.interrupted {
            let _ = writeln!(text, "Interrupted after {} of {} pairs", self.pairs_played, self.pairs_planned);
        }
        let elo = Pairs(self.pairs_by_points).elo();
        let _ = writeln!(text, "Games of A: {} won, {} drawn, {} lost", self.won, self.drawn, self.lost);
        let ends: Vec<String> = self.games_ended_by.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let _ = writeln!(text, "Games ended by: {}", ends.join(", "));
        let [a, b] = self.losses_on_time;
        if a + b > 0 {
            let _ = writeln!(text, "Losses on time: A {a}, B {b}");
        }
        text += &self.nodes();
        let [lost, worse, level, better, won] = self.pairs_by_points;
        let _ = writeln!(
            text,
            "Pairs of A by points (pentanomial): 0: {lost}, 0.5: {worse}, 1: {level}, 1.5: {better}, 2: {won}"
        );
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let games = self.won + self.drawn + self.lost;
        let _ = writeln!(
            text,
            "Draw ratio: {:.1} % of the games, {:.1} % of the pairs level",
            share(self.drawn, games),
            share(level, self.pairs_played)
        );
        let margin = self.score_margin.map_or("-".to_owned(), |margin| format!("{:.1}", 100.0 * margin));
        let _ = writeln!(text, "Score of A: {:.1} % \u{b1} {margin}", 100.0 * self.score.unwrap_or(0.5));
        let interval = interval(self.elo_interval);
        let _ = writeln!(text, "Elo (logistic, 95 % interval from pairs): {elo:+.1} {interval}");
        if let Some((normalized, margin)) = self.normalized_elo {
            let _ = writeln!(text, "nElo: {normalized:+.1} \u{b1} {margin:.1}");
        }
        if self.elo_interval.is_none() {
            let _ = writeln!(
                text,
                "The interval is not known: it takes at least {FEWEST} pairs, and not all of the same score"
            );
        }
        let superiority = percent(self.likelihood_of_superiority);
        let _ = writeln!(text, "Likelihood that A is stronger: {superiority}");
        text + &self.sprt.as_ref().map_or(String::new(), Sprt::line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(pairs: [u64; 5]) -> MatchReport {
        let score = Score { pairs: Pairs(pairs), ..Score::default() };
        let names = ["A (default)".to_owned(), "B (default)".to_owned()];
        let circumstances =
            Circumstances { adjudicated: true, pairs_planned: 50, ..Circumstances::default() };
        MatchReport::new(&names, &score, Some((0.0, 5.0)), circumstances)
    }

    #[test]
    fn one_pair_gives_no_interval() {
        for pairs in [[0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0, 0, 40, 0, 0]] {
            let report = report(pairs);
            let text = report.text();
            for line in
                ["[-, -]", "not known", "stronger: -", "SPRT of 0 and 5 Elo: - (-2.94, 2.94), undecided"]
            {
                assert!(text.contains(line), "{line}: {text}");
            }
            let json = serde_json::to_value(&report).unwrap();
            for unknown in [
                &json["elo_interval"],
                &json["likelihood_of_superiority"],
                &json["sprt"]["log_likelihood_ratio"],
            ] {
                assert!(unknown.is_null(), "{json}");
            }
            assert_eq!(json["sprt"]["verdict"], "undecided");
        }
        let score = Score { pairs: Pairs([0, 0, 1, 0, 0]), ..Score::default() };
        assert!(score.line(Some((0.0, 5.0))).ends_with("Elo +0.0 [-, -], LOS -, LLR - (-2.94, 2.94)"));
    }

    #[test]
    fn many_pairs_give_an_interval() {
        let report = report([10, 20, 60, 30, 15]);
        let text = report.text();
        assert!(!text.contains("not known") && !text.contains("[-, -]"), "{text}");
        for line in [
            "with adjudication",
            "0: 10, 0.5: 20, 1: 60, 1.5: 30, 2: 15",
            "44.4 % of the pairs level",
            "nElo: +",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let json = serde_json::to_value(&report).unwrap();
        let [elo, least, most] =
            [&json["elo"], &json["elo_interval"][0], &json["elo_interval"][1]].map(|n| n.as_f64().unwrap());
        assert!(least < elo && elo < most, "{json}");
    }
}
