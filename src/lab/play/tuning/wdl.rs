//! `plumb wdl`: the WDL model of [`crate::engine::wdl_model`], fitted to the scores and results of games by
//! maximum likelihood.
//!
//! The games are PGN with a score in the comment behind a move (`{+0.31/9 0.02s}`, for the side that moved),
//! as match runners and `plumb tournament` write them. Every such move is a sample.

use crate::chess::score::Value;
use crate::engine::wdl_model::{MATERIAL, MODEL, Model, REFERENCE, material};
use crate::lab::base::formats::pgn::comment_score::{CommentScore, MateCount, unit_of_scores};
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::formats::pgn::{LeftOut, tally::Tally};
use crate::lab::base::pages::table::Table;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop};
use crate::lab::play::tuning::arguments::WdlArgs;
use crate::lab::play::tuning::wdl_counts::{Counts, Results};
use crate::lab::play::tuning::wdl_fit::{Classes, fit};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Largest score that is used, in units of evaluation: with more the result is certain.
const LARGEST: Value = 600;

/// Width of a class of scores, in units of evaluation.
const STEP: Value = 5;

/// Time for the report on the games so far after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Runs `plumb wdl`.
///
/// # Errors
/// If a file cannot be read or the files hold no scores.
pub fn run(arguments: &WdlArgs) -> Result<(), Failure> {
    // The games so far are shown; a file of one endless game has none.
    interrupted::end_within(PATIENCE);
    let mut scores = Scores::new(arguments.shown, arguments.player.clone());
    let mut tally = Tally::new(arguments.strict);
    for path in &arguments.files {
        tally.games_of_file(path, &Stop::default(), |game| Ok(scores.add(game)))?;
    }
    if scores.counts.is_empty() {
        let tally = tally.nothing();
        return Err(Failure::new(format!("there is no score behind any move of these games: {tally}")));
    }
    tally.firsts().for_each(console::note);
    let model = if arguments.check { MODEL } else { fit(&Classes::new(&scores.counts)) };
    console::out(&format!("{}\n{tally}\n", report(&scores, &model)))
}

/// Scores of games, counted.
struct Scores {
    /// The unit in which the files write scores, in units of evaluation.
    pawn: f64,
    player: Option<String>,
    counts: Counts,
    games: u64,
}

impl Scores {
    fn new(shown: bool, player: Option<String>) -> Scores {
        Scores { pawn: unit_of_scores(shown), player, counts: Counts::new(), games: 0 }
    }

    /// Counts the scores of a game; a reason if it is not finished.
    fn add(&mut self, game: &PgnGame) -> Option<LeftOut> {
        let Some(winner) = game.result else { return Some(LeftOut::Lacks("want of a result")) };
        let counted = ["White", "Black"]
            .map(|colour| self.player.as_deref().is_none_or(|player| game.tags.get(colour) == Some(player)));
        let mates = MateCount::of(game);
        let mut position = game.start.position().clone();
        let mut counts = false;
        for (m, mut comments) in game.commented_moves() {
            let (mover, material) = (position.turn(), material(position.board()));
            position = position.play(m);
            // A number without a depth behind it may be something else, a time for example. Mates are too
            // large.
            let read = |comment: &[u8]| {
                CommentScore::read(comment, self.pawn, mates).filter(|score| score.with_depth)
            };
            let score = comments.find_map(read).map(|score| score.value);
            let Some(units) = score.filter(|units| units.abs() <= LARGEST) else { continue };
            if !counted[usize::from(mover.is_black())] {
                continue;
            }
            let material = material.clamp(*MATERIAL.start(), *MATERIAL.end());
            let step = (f64::from(units) / f64::from(STEP)).round() as Value;
            self.counts.entry((material, step * STEP)).or_default().count(winner, mover);
            counts = true;
        }
        self.games += u64::from(counts);
        None
    }
}

/// Parameters of the model, and its predictions beside the observed results.
fn report(scores: &Scores, model: &Model) -> String {
    let positions: u64 = scores.counts.values().map(|results| results.all()).sum();
    let [a, b] = [model.even, model.spread]
        .map(|[start, x, xx, xxx]| format!("{start:.1} {x:+.1} x {xx:+.1} x^2 {xxx:+.1} x^3"));
    let mut text = format!(
        "games {}, positions {positions}, log-likelihood a position {:.5}\n\n\
         P(win) = 1 / (1 + exp((a - score) / b)), score in units of evaluation, x = material / {REFERENCE} - \
         1\n\
         a = {a}\nb = {b}\n",
        scores.games,
        Classes::new(&scores.counts).likelihood(model) / positions as f64,
    );
    let _ = writeln!(text, "\nBy the score as it is shown (100: every second game is won at {REFERENCE})\n");
    let shown = |score: Value| (f64::from(score) * 100.0 / model.even[0] / 50.0).round().clamp(-8.0, 8.0);
    let name = |bucket: Value| match bucket {
        -8 => "-400 and less".to_owned(),
        8 => "400 and more".to_owned(),
        _ => format!("about {}", bucket * 50),
    };
    text += &compared(scores, model, "score", |(_, score)| Some(shown(score) as Value), name);
    let _ = writeln!(text, "\nBy the material, where 50 to 150 are shown\n");
    let near = |score: Value| (0.5..1.5).contains(&(f64::from(score) / model.even[0]));
    let place = |(material, score): (u32, Value)| near(score).then_some((material / 10 * 10) as Value);
    text += &compared(scores, model, "material", place, |tens| format!("{tens} to {}", tens + 9));
    text
}

/// Predictions and observations by buckets: per cent won, drawn, lost.
fn compared(
    scores: &Scores,
    model: &Model,
    heading: &str,
    bucket: impl Fn((u32, Value)) -> Option<Value>,
    name: impl Fn(Value) -> String,
) -> String {
    let mut rows: BTreeMap<Value, (Results, [f64; 2])> = BTreeMap::new();
    for (&place, &results) in &scores.counts {
        let Some(bucket) = bucket(place) else { continue };
        let (observed, [win, loss]) = rows.entry(bucket).or_default();
        observed.add(results);
        *win += results.all() as f64 * model.win(place.1.into(), place.0);
        *loss += results.all() as f64 * model.win((-place.1).into(), place.0);
    }
    let mut table = Table::new(1, [heading, "positions", "won", "model", "drawn", "model", "lost", "model"]);
    for (bucket, (observed, [win, loss])) in rows {
        let all = observed.all() as f64;
        let percent = |count: f64| format!("{:.1}", 100.0 * count / all);
        let mut row = vec![name(bucket), observed.all().to_string()];
        row.extend([percent(observed.won as f64), percent(win)]);
        row.extend([percent(observed.drawn as f64), percent(all - win - loss)]);
        row.extend([percent(observed.lost as f64), percent(loss)]);
        table.row(row);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.31/9 0.02s} e5 {-0.20/8} \
                        2. Nf3 {+M5/7 0.1s} Nc6 {book} 3. Bb5 {+12.00/9} a6 {no score} {0.10/3} 1-0\n\n";

    fn read_all(text: &str, player: Option<&str>) -> Scores {
        let mut scores = Scores::new(false, player.map(str::to_owned));
        let mut tally = Tally::default();
        tally.games_of("games", text.as_bytes(), &Stop::default(), |game| Ok(scores.add(game))).unwrap();
        scores
    }

    #[test]
    fn scores_are_for_the_side_that_moved() {
        let scores = read_all(GAME, None);
        let won = Results { won: 1, ..Results::default() };
        let lost = Results { lost: 1, ..Results::default() };
        let wanted = [((78, -20), lost), ((78, 10), lost), ((78, 30), won)];
        assert_eq!(scores.counts, BTreeMap::from(wanted));
        assert_eq!(scores.games, 1);
        assert_eq!(read_all(GAME, Some("A")).counts, BTreeMap::from([((78, 30), won)]));
        assert!(read_all(GAME, Some("C")).counts.is_empty());
    }

    #[test]
    fn unfinished_games_do_not_count_and_bad_ones_are_named() {
        assert!(read_all(&GAME.replace("1-0", "*"), None).counts.is_empty());
        let text = format!("{}{GAME}", GAME.replace("Nc6", "Nc4"));
        let (mut scores, mut tally) = (Scores::new(false, None), Tally::default());
        tally.games_of("games", text.as_bytes(), &Stop::default(), |game| Ok(scores.add(game))).unwrap();
        assert_eq!((scores.games, tally.read(), tally.left_out()), (1, 1, 1));
        assert_eq!(tally.firsts().collect::<Vec<_>>(), ["games: game 1: 'Nc4' is no legal move (2...)"]);
    }

    #[test]
    fn the_report_shows_predictions_and_observations() {
        let scores = read_all(GAME, None);
        let text = report(&scores, &MODEL);
        assert!(text.contains("games 1, positions 3") && text.contains("| about 0"), "{text}");
    }
}
