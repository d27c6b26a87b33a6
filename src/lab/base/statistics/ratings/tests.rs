//! Ratings against closed forms, published values and simulated tournaments.

use super::super::elo::Pairs;
use super::*;
use crate::random::SplitMix64;

fn near(found: f64, wanted: f64, error: f64) {
    assert!((found - wanted).abs() < error, "{found}, not {wanted}");
}

/// So many points of the first player, in a sample of its own.
fn games(players: [usize; 2], games: u64, points: f64) -> Encounter {
    Encounter { sample: 0, players, games, points }
}

fn elo(standings: &[PlayerRating]) -> Vec<f64> {
    standings.iter().map(|rating| rating.elo().expect("rated")).collect()
}

#[test]
fn two_players_have_the_rating_and_the_error_of_their_match() {
    let counts = [3, 9, 14, 12, 6];
    let mut pairs = Vec::new();
    for (half_points, &count) in counts.iter().enumerate() {
        for _ in 0..count {
            let points = half_points as f64 / 2.0;
            pairs.push(Encounter { sample: pairs.len(), players: [0, 1], games: 2, points });
        }
    }
    let found = ratings(2, &pairs, Some(1));
    let known = Pairs(counts);
    near(elo(&found)[0], known.elo(), 1e-6);
    assert_eq!(found[1], PlayerRating::Known { elo: 0.0, margin: Some(0.0) });
    // The slope of Elo at the mean score, by which the error of the score is that of the rating.
    let mean = known.moments().0;
    let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
    near(found[0].margin().unwrap(), known.score_margin().unwrap() * slope, 1e-6);
    // Around the mean both have half of it.
    let middle = ratings(2, &pairs, None);
    near(elo(&middle)[0], known.elo() / 2.0, 1e-6);
    near(middle[0].margin().unwrap(), found[0].margin().unwrap() / 2.0, 1e-6);
    near(middle[1].margin().unwrap(), middle[0].margin().unwrap(), 1e-9);
}

/// American League 1987, home and away together: Agresti, Categorical Data Analysis, table of the Eastern
/// Division; the strengths relative to Baltimore are those of the R package BradleyTerry2.
#[test]
fn the_strengths_of_seven_teams_are_the_published_ones() {
    const WINS: [[u64; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let meeting = |[a, b]: [usize; 2]| games([a, b], WINS[a][b] + WINS[b][a], WINS[a][b] as f64);
    let all: Vec<Encounter> = (0..7).flat_map(|a| (a + 1..7).map(move |b| [a, b])).map(meeting).collect();
    let found = elo(&ratings(7, &all, Some(6)));
    let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
    found.iter().zip(published).for_each(|(&found, wanted)| near(found * UNIT, wanted, 1e-4));
    (0..7).for_each(|player| has_expected_points(&all, &found, player));
    let middle = elo(&ratings(7, &all, None));
    near(middle.iter().sum::<f64>(), 0.0, 1e-6);
    middle.iter().zip(&found).for_each(|(one, found)| near(one - middle[6], *found, 1e-6));
}

#[test]
fn a_player_that_took_every_point_or_none_has_no_rating_and_spoils_no_other() {
    // 0 beats all, 4 loses to all, 1 to 3 share points.
    let between = [games([1, 2], 10, 6.0), games([2, 3], 10, 6.5), games([3, 1], 10, 4.0)];
    let mut all = between.to_vec();
    for other in 1..4 {
        all.extend([games([0, other], 10, 10.0), games([other, 4], 10, 10.0)]);
    }
    all.push(games([4, 0], 10, 0.0));
    let found = ratings(5, &all, None);
    assert_eq!((found[0], found[4]), (PlayerRating::NoUpperBound, PlayerRating::NoLowerBound));
    let alone = ratings(4, &between, None);
    assert_eq!(alone[0], PlayerRating::Unconnected, "no games");
    assert_eq!(found[1..4], alone[1..4]);
    near(elo(&found[1..4]).iter().sum::<f64>(), 0.0, 1e-9);
    // One draw bounds it.
    all.push(games([0, 2], 1, 0.5));
    let found = ratings(5, &all, None);
    assert!(
        found[0].elo().is_some_and(|elo| elo > 300.0) && found[4] == PlayerRating::NoLowerBound,
        "{found:?}"
    );
}

#[test]
fn where_no_two_players_took_points_from_each_other_nobody_is_rated() {
    for all in [&[][..], &[games([0, 1], 2, 2.0), games([1, 2], 2, 2.0), games([0, 2], 2, 2.0)]] {
        assert_eq!(ratings(3, all, Some(0)), [PlayerRating::Unconnected; 3], "{all:?}");
    }
    assert!(ratings(0, &[], None).is_empty());
    let foreign = [games([0, 3], 2, 1.0), games([1, 1], 2, 1.0)];
    assert_eq!(ratings(3, &foreign, None), [PlayerRating::Unconnected; 3]);
}

#[test]
fn players_without_games_against_the_rated_ones_are_apart() {
    let two = [games([0, 1], 4, 3.0), games([2, 3], 4, 1.5), games([3, 4], 4, 2.0)];
    let found = ratings(5, &two, Some(0));
    assert_eq!(found[..2], [PlayerRating::Unconnected; 2], "the larger set is rated");
    near(elo(&found[2..]).iter().sum::<f64>(), 0.0, 1e-9);
    let equal = [games([0, 1], 4, 2.0), games([2, 3], 4, 2.0), games([1, 2], 4, 4.0)];
    assert_eq!(
        ratings(4, &equal, None)[2..],
        [PlayerRating::NoLowerBound; 2],
        "the set of the first player is rated"
    );
    // Both beat the same player, and did not meet.
    let lost = [games([0, 1], 4, 2.0), games([1, 2], 4, 4.0), games([3, 2], 4, 4.0)];
    assert_eq!(ratings(4, &lost, None)[2..], [PlayerRating::NoLowerBound, PlayerRating::Unconnected]);
}

#[test]
fn equal_results_give_equal_ratings_and_no_error() {
    let mut all = Vec::new();
    for sample in 0..30 {
        for players in [[0, 1], [0, 2], [1, 2]] {
            all.push(Encounter { sample, players, games: 2, points: 1.0 });
        }
    }
    let equal = PlayerRating::Known { elo: 0.0, margin: None };
    assert_eq!(ratings(3, &all, None), [equal; 3]);
    // Nine samples are too few, whatever they hold.
    let few = |samples: usize| {
        let varied =
            |sample: usize| Encounter { sample, players: [0, 1], games: 2, points: (sample % 3) as f64 };
        ratings(2, &(0..samples).map(varied).collect::<Vec<_>>(), None)[0].margin()
    };
    assert!(few(FEWEST as usize - 1).is_none() && few(FEWEST as usize).is_some());
}

/// The most likely strengths are those under which everyone has the expected points.
fn has_expected_points(encounters: &[Encounter], ratings: &[f64], player: usize) {
    let (mut beyond, mut games) = (0.0, 0.0);
    for one in encounters {
        let expected = expected((ratings[one.players[0]] - ratings[one.players[1]]) * UNIT);
        let surplus = one.points - one.games as f64 * expected;
        beyond += if one.players[0] == player { surplus } else { 0.0 };
        beyond -= if one.players[1] == player { surplus } else { 0.0 };
        games += if one.players.contains(&player) { one.games as f64 } else { 0.0 };
    }
    near(beyond / games, 0.0, 1e-9);
}

/// Results on which whole steps of Newton's method go astray.
#[test]
fn results_that_contradict_each_other_are_rated_too() {
    let all = [
        games([0, 2], 10, 5.0),
        games([0, 3], 1000, 999.5),
        games([1, 2], 100_000, 99_999.5),
        games([1, 3], 1000, 999.5),
    ];
    let found = elo(&ratings(4, &all, None));
    (0..4).for_each(|player| has_expected_points(&all, &found, player));
}

#[test]
fn extreme_scores_are_rated_as_their_closed_form_says() {
    for points in [0.5, 999_999.5] {
        let found = ratings(2, &[games([0, 1], 1_000_000, points)], Some(1));
        let score = points / 1e6;
        near(elo(&found)[0], 400.0 * (score / (1.0 - score)).log10(), 1e-3);
    }
}

#[test]
fn the_order_of_games_and_of_names_changes_nothing() {
    let all = [games([0, 1], 6, 4.5), games([1, 2], 8, 3.0), games([2, 0], 4, 1.0), games([0, 1], 2, 0.5)];
    let found = elo(&ratings(3, &all, None));
    let turned: Vec<Encounter> = all
        .iter()
        .rev()
        .map(|one| Encounter {
            players: [2 - one.players[1], 2 - one.players[0]],
            points: one.games as f64 - one.points,
            ..*one
        })
        .collect();
    let other = elo(&ratings(3, &turned, None));
    (0..3).for_each(|player| near(other[2 - player], found[player], 1e-9));
}

/// Two opponents with the same results in every opening tell no more than one of them.
#[test]
fn games_of_an_opening_that_depend_on_each_other_are_one_sample() {
    let points = [2.0, 0.5, 1.0, 1.5, 0.0, 1.0, 2.0, 1.5, 1.0, 0.5, 1.0, 1.5];
    let against = |other: usize| {
        let one =
            |(sample, &points): (usize, &f64)| Encounter { sample, players: [0, other], games: 2, points };
        points.iter().enumerate().map(one).collect::<Vec<_>>()
    };
    let one = ratings(2, &against(1), Some(1))[0].margin().unwrap();
    let both = ratings(3, &[against(1), against(2)].concat(), None)[0].margin().unwrap();
    near(both, one * 2.0 / 3.0, 1e-9);
}

/// Tournaments of players with known strengths, in openings that suit some of them: the intervals hold the
/// strengths as often as they say.
#[test]
fn intervals_hold_the_true_ratings_of_simulated_tournaments() {
    const TRUE: [f64; 4] = [60.0, 10.0, -20.0, -50.0];
    let mut random = SplitMix64::new(11);
    let mut uniform = || random.below(1 << 24) as f64 / f64::from(1 << 24);
    let (mut held, mut all) = (0, 0);
    for _ in 0..200 {
        let mut encounters = Vec::new();
        for sample in 0..60 {
            // An opening that suits the even players lifts both by as much in all of its games.
            let suits = 120.0 * (uniform() - 0.5);
            let strength =
                |player: usize| TRUE[player] + if player.is_multiple_of(2) { suits } else { -suits };
            for a in 0..4 {
                for b in a + 1..4 {
                    let expected = expected((strength(a) - strength(b)) * UNIT);
                    let points: f64 = (0..2).map(|_| if uniform() < expected { 1.0 } else { 0.0 }).sum();
                    encounters.push(Encounter { sample, players: [a, b], games: 2, points });
                }
            }
        }
        for (standing, wanted) in ratings(4, &encounters, None).iter().zip(TRUE) {
            let off = (standing.elo().expect("rated") - wanted).abs();
            held += usize::from(off <= standing.margin().expect("known"));
            all += 1;
        }
    }
    let share = f64::from(held as u32) / f64::from(all);
    assert!((0.92..0.975).contains(&share), "{share}");
}
