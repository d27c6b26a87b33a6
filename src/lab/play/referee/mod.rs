//! The referee: games between two players, with clocks and adjudication, and the player that searches for
//! every experiment of the laboratory. No files are read here, nothing is printed, and no folder above is
//! known.

mod player;

use crate::chess::Position;
use crate::chess::game::{End, Game};
use crate::chess::score::Value;
use crate::choice;
use crate::engine::clock::TimeControl;
use shakmaty::{Color, Move, Position as _};
use std::time::Duration;

pub use player::{Player, spread};

/// Turn of a player: the game so far, and the limits of its move.
pub struct Turn<'a> {
    /// The position from which the game began.
    pub opening: &'a Game,
    /// The moves since.
    pub plies: &'a [Ply],
    /// The game as it stands.
    pub game: &'a Game,
    /// Limits of the move, but for the clocks.
    pub allowed: MoveLimits,
    /// Clocks of White and Black, if the game is played with them.
    pub clocks: Option<[TimeControl; 2]>,
}

impl Turn<'_> {
    /// The side to move as an index: 0 White, 1 Black.
    #[must_use]
    pub fn side(&self) -> usize {
        self.game.position().turn().fold_wb(0, 1)
    }
}

/// One side of a game: this engine in this process ([`Player`]), or any other that chooses moves.
pub trait GamePlayer {
    /// Begins a game, which does not depend on earlier ones; `stop` interrupts it.
    ///
    /// # Errors
    /// If it can play no more games, in words: the match ends.
    fn begin(&mut self, stop: &dyn Fn() -> bool) -> Result<(), String>;

    /// Chooses a legal move; the error is the reason for which the game is lost. `None` if `stop` interrupted
    /// it.
    fn choose(&mut self, turn: &Turn<'_>, stop: &dyn Fn() -> bool) -> Option<Result<Ply, Termination>>;
}

/// Time control of a game: time for all moves or for so many, and an increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Time of each side at the start, and again after every `moves` moves.
    pub base: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves of each side until `base` is added again; `None` is sudden death.
    pub moves: Option<u32>,
}

/// The clock of one side.
#[derive(Clone, Copy, Debug)]
struct SideClock {
    time: GameTime,
    remaining: Duration,
    /// Moves made.
    made: u32,
}

impl SideClock {
    fn new(time: GameTime) -> SideClock {
        SideClock { time, remaining: time.base, made: 0 }
    }

    /// Time control of the next move, as the engine sees it.
    fn control(&self) -> TimeControl {
        TimeControl {
            movetime: None,
            remaining: Some(self.remaining),
            increment: self.time.increment,
            moves_to_go: self.time.moves.map(|moves| moves - self.made % moves),
        }
    }

    /// Enters the time of a move; false if the flag has fallen.
    fn spend(&mut self, spent: Duration) -> bool {
        let Some(left) = self.remaining.checked_sub(spent) else { return false };
        self.made += 1;
        let again = self.time.moves.is_some_and(|moves| self.made.is_multiple_of(moves));
        let base = if again { self.time.base } else { Duration::ZERO };
        self.remaining = left + self.time.increment + base;
        true
    }
}

/// The time on the clock of the side that moved, after each move of a game that was played with clocks. It is
/// counted in whole microseconds, as records have them, so that a game from a record has the same clocks.
#[must_use]
pub fn clocks_after(time: GameTime, plies: &[Ply]) -> Vec<Duration> {
    let mut clocks = [SideClock::new(time); 2];
    let after = |(index, ply): (usize, &Ply)| {
        let clock = &mut clocks[index % 2];
        // A move that came too late is none of the game.
        clock.spend(ply.recorded_time());
        clock.remaining
    };
    plies.iter().enumerate().map(after).collect()
}

/// Limits of one move; all that are given hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// Time control of the game; the clocks of both sides are kept by the referee.
    pub clock: Option<GameTime>,
    /// Nodes: made moves after which the search stops.
    pub nodes: Option<u64>,
    /// Soft nodes: made moves after which no further iteration is begun; the one under way is finished.
    pub soft_nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
    /// Depth in plies.
    pub depth: Option<i32>,
}

/// Adjudication: when a game is ended before the rules end it. Scores are those of [`Ply::value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Win: least score, of both players for the same side.
    pub win_score: Value,
    /// Win: number of consecutive moves of each player with such a score; 0 is never.
    pub win_moves: usize,
    /// Win: least number of men on the board. Endings with fewer are played out, so that those that cannot be
    /// won are seen to be drawn.
    pub win_men: usize,
    /// Draw: largest absolute score, of both players.
    pub draw_score: Value,
    /// Draw: number of consecutive moves of each player with such a score, a capture or a pawn move at most
    /// the first of them; 0 is never.
    pub draw_moves: usize,
    /// Draw: least number of moves that each player has made.
    pub draw_after: usize,
    /// Draw: least number of plies since the last capture or pawn move.
    pub draw_halfmoves: u32,
    /// Plies after which a game is adjudicated a draw in any case.
    pub longest: usize,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: 600,
            win_moves: 4,
            win_men: 0,
            draw_score: 10,
            draw_moves: 8,
            draw_after: 40,
            draw_halfmoves: 0,
            longest: 400,
        }
    }
}

choice! {
    /// Termination of a game: the reason for its end. Files store the index in this list: new reasons are
    /// added at its end.
    Termination {
        /// The side to move is mated.
        #[default]
        Checkmate = "checkmate",
        /// The side to move has no move.
        Stalemate = "stalemate",
        /// Fifty-move rule.
        FiftyMoves = "fifty moves",
        /// Threefold repetition.
        Repetition = "threefold repetition",
        /// Insufficient material.
        DeadPosition = "insufficient material",
        /// Adjudicated a win: both players' scores say so.
        Won = "adjudication: won",
        /// Adjudicated a draw: both players' scores say so.
        Drawn = "adjudication: drawn",
        /// Adjudicated a draw at [`Adjudication::longest`].
        TooLong = "adjudication: too long",
        /// The side to move has used up its time.
        Time = "loss on time",
        /// The program of the side to move has ended, or speaks no longer.
        Crash = "loss by a crash",
        /// The side to move has answered with an illegal move.
        Illegal = "loss by an illegal move",
    }
}

impl Termination {
    /// True if the rules of the game ended it, the clock among them, and not adjudication.
    #[must_use]
    pub const fn by_rule(self) -> bool {
        !matches!(self, Termination::Won | Termination::Drawn | Termination::TooLong)
    }

    /// True if a game with this last position and this winner can have ended for this reason. Moves before
    /// the last position are not looked at: a repetition is believed.
    #[must_use]
    pub fn suits(self, last: &Position, winner: Option<Color>) -> bool {
        let is_lost = winner == Some(!last.turn());
        match self {
            Termination::Checkmate => is_lost && last.chess().is_checkmate(),
            Termination::Stalemate => winner.is_none() && last.chess().is_stalemate(),
            Termination::Time | Termination::Crash | Termination::Illegal => {
                let mates = !last.chess().has_insufficient_material(!last.turn());
                !last.chess().is_checkmate() && (if mates { is_lost } else { winner.is_none() })
            }
            Termination::Won => winner.is_some() && !last.chess().is_checkmate(),
            Termination::FiftyMoves
            | Termination::Repetition
            | Termination::DeadPosition
            | Termination::Drawn
            | Termination::TooLong => winner.is_none() && !last.chess().is_checkmate(),
        }
    }
}

/// A move of a game, with score, depth, nodes and time of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub played: Move,
    /// Score from the side of its player, in units of evaluation, or, in matches with other programs, in
    /// centipawns as UCI has them; `None` if its search gave none, or completed no iteration. Such a move is
    /// no evidence for anything.
    pub value: Option<Value>,
    /// Completed depth in plies.
    pub depth: i32,
    /// Made moves.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Ply {
    /// The time as records keep it, in whole microseconds: what is written from a record is what was written
    /// after the game.
    #[must_use]
    pub fn recorded_time(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The moves.
    pub plies: Vec<Ply>,
    /// The winner; `None` is a draw.
    pub winner: Option<Color>,
    /// Reason for its end.
    pub reason: Termination,
}

/// Plays a game from `opening`, White first in `players`; `None` if `stop` interrupted it.
///
/// # Errors
/// If a player can play no more games.
pub fn play(
    opening: &Game,
    players: [&mut dyn GamePlayer; 2],
    allowed: MoveLimits,
    rules: &Adjudication,
    stop: &dyn Fn() -> bool,
) -> Result<Option<FinishedGame>, String> {
    let mut players = players;
    for player in &mut players {
        if let Err(why) = player.begin(stop) {
            return if stop() { Ok(None) } else { Err(why) };
        }
    }
    let mut clocks = allowed.clock.map(|time| [SideClock::new(time); 2]);
    Ok(conduct(opening, rules, |game, plies| {
        let controls = clocks.map(|clocks| clocks.map(|clock| clock.control()));
        let turn = Turn { opening, plies, game, allowed, clocks: controls };
        let chosen = players[turn.side()].choose(&turn, stop)?;
        let Some(clocks) = &mut clocks else { return Some(chosen) };
        let mut in_time = |ply: &Ply| clocks[turn.side()].spend(ply.time);
        Some(chosen.and_then(|ply| if in_time(&ply) { Ok(ply) } else { Err(Termination::Time) }))
    }))
}

/// Self-play: a game from `opening` in which one player, with one transposition table, moves for both sides,
/// each move within the limits that `allowed` gives it; `None` if `stop` interrupted it.
pub fn play_alone(
    opening: &Game,
    player: &mut Player,
    allowed: impl Fn(&Game) -> MoveLimits,
    rules: &Adjudication,
    stop: &dyn Fn() -> bool,
) -> Option<FinishedGame> {
    player.forget();
    conduct(opening, rules, |game, _| player.think(game, allowed(game), stop).map(Ok))
}

/// Plays moves until the game is over; `None` if `think` gives no answer. Its error is the reason of a loss.
fn conduct(
    opening: &Game,
    rules: &Adjudication,
    mut think: impl FnMut(&Game, &[Ply]) -> Option<Result<Ply, Termination>>,
) -> Option<FinishedGame> {
    let mut game = opening.clone();
    let mut plies = Vec::new();
    loop {
        if let Some((winner, reason)) = ended(&game).or_else(|| rules.verdict(&plies, &game)) {
            return Some(FinishedGame { plies, winner, reason });
        }
        match think(&game, &plies)? {
            Ok(ply) => {
                game.play(ply.played);
                plies.push(ply);
            }
            Err(reason) => {
                let opponent = !game.position().turn();
                // Laws of Chess, 6.9: a side that cannot mate by any series of moves does not win on time.
                let mates = !game.position().chess().has_insufficient_material(opponent);
                return Some(FinishedGame { plies, winner: mates.then_some(opponent), reason });
            }
        }
    }
}

/// Winner and reason, if the rules end the game.
fn ended(game: &Game) -> Option<(Option<Color>, Termination)> {
    Some(match game.end()? {
        End::Checkmate => (Some(!game.position().turn()), Termination::Checkmate),
        End::Stalemate => (None, Termination::Stalemate),
        End::FiftyMoves => (None, Termination::FiftyMoves),
        End::Repetition => (None, Termination::Repetition),
        End::DeadPosition => (None, Termination::DeadPosition),
    })
}

/// True if a game that is over at `game` can have this result: for the given reason, and not for another.
#[must_use]
pub fn ends_so(game: &Game, winner: Option<Color>, reason: Termination) -> bool {
    // A draw by the rules shows in the game, or was none.
    let by_rules =
        [Termination::FiftyMoves, Termination::Repetition, Termination::DeadPosition].contains(&reason);
    match ended(game) {
        Some(end) => end == (winner, reason),
        None => !by_rules && reason.suits(game.position(), winner),
    }
}

impl Adjudication {
    /// Winner and reason, if the game is adjudicated; `plies` led to `game`.
    fn verdict(&self, plies: &[Ply], game: &Game) -> Option<(Option<Color>, Termination)> {
        let turn = game.position().turn();
        let last = |moves: usize| (moves > 0).then(|| plies.len().checked_sub(2 * moves)).flatten();
        // Scores are from the side that moved: an even number of plies ago that was the side to move.
        let for_turn = |index: usize| {
            plies[index]
                .value
                .map(|value| if (plies.len() - index).is_multiple_of(2) { value } else { -value })
        };
        let men = game.position().board().occupied().count();
        if let Some(first) = last(self.win_moves).filter(|_| men >= self.win_men) {
            let values = || (first..plies.len()).map(for_turn);
            if values().all(|value| value.is_some_and(|value| value >= self.win_score)) {
                return Some((Some(turn), Termination::Won));
            }
            if values().all(|value| value.is_some_and(|value| value <= -self.win_score)) {
                return Some((Some(!turn), Termination::Won));
            }
        }
        if let Some(first) = last(self.draw_moves)
            && plies.len() >= 2 * self.draw_after
            && game.position().halfmoves() >= self.draw_halfmoves
            // A capture or a pawn move begins the count anew, as in other match runners.
            && game.position().halfmoves() as usize + 1 >= 2 * self.draw_moves
            && plies[first..].iter().all(|ply| ply.value.is_some_and(|value| value.abs() <= self.draw_score))
        {
            return Some((None, Termination::Drawn));
        }
        (plies.len() >= self.longest).then_some((None, Termination::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Settings;
    use shakmaty::{Role, Square};

    fn plies(values: &[Value]) -> Vec<Ply> {
        let played = Move::Normal {
            role: Role::King,
            from: Square::E1,
            capture: None,
            to: Square::E2,
            promotion: None,
        };
        let ply = |&value| Ply { played, value: Some(value), depth: 1, nodes: 1, time: Duration::ZERO };
        values.iter().map(ply).collect()
    }

    #[test]
    fn adjudication_needs_the_scores_of_both_players() {
        let rules = Adjudication {
            win_moves: 2,
            draw_moves: 2,
            draw_after: 2,
            longest: 6,
            ..Adjudication::default()
        };
        let quiet = Game::parse_fen("4k3/p7/8/8/8/8/P7/4K3 w - - 20 50").unwrap();
        let verdict = |values: &[Value]| rules.verdict(&plies(values), &quiet);
        assert_eq!(verdict(&[700, -700, 650, -600]), Some((Some(Color::White), Termination::Won)));
        assert_eq!(verdict(&[-700, 700, -650, 900]), Some((Some(Color::Black), Termination::Won)));
        assert_eq!(verdict(&[700, -700, 650, -599]), None);
        assert_eq!(verdict(&[700, 700, 700, 700]), None);
        assert_eq!(verdict(&[10, -10, 0, 3]), Some((None, Termination::Drawn)));
        assert_eq!(verdict(&[10, -10, 0, 11]), None);
        assert_eq!(verdict(&[50; 6]), Some((None, Termination::TooLong)));
        // A move without a score says nothing.
        for values in [[0; 4], [700, -700, 650, -600]] {
            let mut unscored = plies(&values);
            unscored[2].value = None;
            assert_eq!(rules.verdict(&unscored, &quiet), None);
        }
    }

    #[test]
    fn captures_and_pawn_moves_begin_the_count_of_a_draw_anew() {
        let rules = Adjudication { draw_moves: 2, draw_after: 2, ..Adjudication::default() };
        for (halfmoves, expected) in [(0, None), (2, None), (3, Some((None, Termination::Drawn)))] {
            let game = Game::parse_fen(&format!("4k3/p7/8/8/8/8/P7/4K3 w - - {halfmoves} 50")).unwrap();
            assert_eq!(rules.verdict(&plies(&[0; 6]), &game), expected, "{halfmoves}");
        }
    }

    /// A player whose flag falls at once, against one whose men could not mate.
    #[test]
    fn a_bare_king_does_not_win_on_time() {
        struct Late;
        impl GamePlayer for Late {
            fn begin(&mut self, _: &dyn Fn() -> bool) -> Result<(), String> {
                Ok(())
            }
            fn choose(&mut self, _: &Turn<'_>, _: &dyn Fn() -> bool) -> Option<Result<Ply, Termination>> {
                Some(Err(Termination::Time))
            }
        }
        for (fen, winner) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", None),
            ("4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1", None),
            ("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1", Some(Color::Black)),
            ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", Some(Color::White)),
            // A lone knight mates no king beside a queen; beside a bishop, a knight or a pawn it may.
            ("4k1n1/8/8/8/8/8/8/B3K3 w - - 0 1", Some(Color::Black)),
            ("4k1n1/8/8/8/8/8/8/N3K3 w - - 0 1", Some(Color::Black)),
            ("4k1n1/8/8/8/8/8/P7/4K3 w - - 0 1", Some(Color::Black)),
            ("4k1b1/8/8/8/8/8/8/R3K3 w - - 0 1", None),
            ("4k1b1/8/8/8/8/8/8/N3K3 w - - 0 1", Some(Color::Black)),
        ] {
            let game = Game::parse_fen(fen).unwrap();
            let (mut white, mut black) = (Late, Late);
            let players: [&mut dyn GamePlayer; 2] = [&mut white, &mut black];
            let played = play(&game, players, MoveLimits::default(), &Adjudication::default(), &|| false);
            let played = played.unwrap().unwrap();
            assert_eq!((played.winner, played.reason), (winner, Termination::Time), "{fen}");
            assert!(ends_so(&game, played.winner, played.reason), "{fen}");
            assert!(!ends_so(&game, winner.xor(Some(!game.position().turn())), played.reason), "{fen}");
        }
    }

    #[test]
    fn a_draw_waits_for_plies_without_capture_or_pawn_move() {
        let rules =
            Adjudication { draw_moves: 1, draw_after: 1, draw_halfmoves: 20, ..Adjudication::default() };
        for (halfmoves, expected) in [(19, None), (20, Some((None, Termination::Drawn)))] {
            let game = Game::parse_fen(&format!("4k3/p7/8/8/8/8/P7/4K3 w - - {halfmoves} 50")).unwrap();
            assert_eq!(rules.verdict(&plies(&[0, 0]), &game), expected, "{halfmoves}");
        }
    }

    #[test]
    fn self_play_repeats_itself() {
        let game = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        let mut player = Player::new(Settings::default(), 1).unwrap();
        let allowed = MoveLimits { soft_nodes: Some(500), ..MoveLimits::default() };
        let mut play =
            || play_alone(&game, &mut player, |_| allowed, &Adjudication::default(), &|| false).unwrap();
        let untimed = |played: FinishedGame| {
            let ply = |ply: &Ply| (ply.played, ply.value, ply.nodes);
            played.plies.iter().map(ply).collect::<Vec<_>>()
        };
        let (first, second) = (play(), play());
        assert_eq!((first.winner, first.reason), (Some(Color::White), Termination::Checkmate));
        assert_eq!(untimed(first), untimed(second));
    }

    #[test]
    fn a_clock_counts_moves_and_increments_and_its_flag_falls() {
        let ms = Duration::from_millis;
        let time = GameTime { base: ms(1000), increment: ms(100), moves: Some(2) };
        let mut clock = SideClock::new(time);
        assert_eq!((clock.control().remaining, clock.control().moves_to_go), (Some(ms(1000)), Some(2)));
        assert!(clock.spend(ms(600)));
        assert_eq!((clock.remaining, clock.control().moves_to_go), (ms(500), Some(1)));
        assert!(clock.spend(ms(500)));
        assert_eq!((clock.remaining, clock.control().moves_to_go), (ms(1100), Some(2)));
        assert!(!clock.spend(ms(1101)));
        let sudden = SideClock::new(GameTime { moves: None, ..time });
        assert_eq!(sudden.control().moves_to_go, None);
    }

    #[test]
    fn a_player_without_time_loses_on_time() {
        let mut players = [0; 2].map(|_| Player::new(Settings::default(), 1).unwrap());
        let mut play = |base| {
            let [white, black] = &mut players;
            let time = GameTime { base, increment: Duration::ZERO, moves: None };
            let allowed = MoveLimits { clock: Some(time), ..MoveLimits::default() };
            let rules = Adjudication { longest: 2, ..Adjudication::default() };
            play(&Game::new(), [white, black], allowed, &rules, &|| false).unwrap().unwrap()
        };
        let lost = play(Duration::from_nanos(1));
        assert_eq!((lost.winner, lost.reason, lost.plies.len()), (Some(Color::Black), Termination::Time, 0));
        assert!(Termination::Time.by_rule());
        // With time enough two moves are made, each in a part of it.
        let played = play(Duration::from_secs(20));
        assert_eq!((played.reason, played.plies.len()), (Termination::TooLong, 2));
    }

    #[test]
    fn a_game_ends_with_mate_or_with_a_stop() {
        let game = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        let mut players = [0; 2].map(|_| Player::new(Settings::default(), 1).unwrap());
        let [white, black] = &mut players;
        let allowed = MoveLimits { depth: Some(4), ..MoveLimits::default() };
        let rules = Adjudication::default();
        let played = play(&game, [white, black], allowed, &rules, &|| false).unwrap().unwrap();
        assert_eq!(
            (played.winner, played.reason, played.plies.len()),
            (Some(Color::White), Termination::Checkmate, 1)
        );
        assert!(play(&game, [white, black], allowed, &rules, &|| true).unwrap().is_none());
    }

    /// A mate by the hundredth half-move is a mate (Laws of Chess, 9.3 and 5.1.1); any other move ends the
    /// game.
    #[test]
    fn a_mate_by_the_hundredth_half_move_wins() {
        let mate = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 99 120").unwrap();
        let quiet = Game::parse_fen("4k3/3r4/8/8/8/8/R7/5K2 b - - 99 120").unwrap();
        let mut players = [0; 2].map(|_| Player::new(Settings::default(), 1).unwrap());
        let [white, black] = &mut players;
        let allowed = MoveLimits { depth: Some(4), ..MoveLimits::default() };
        let rules = Adjudication::default();
        let mut end = |game: &Game| {
            let played = play(game, [white, black], allowed, &rules, &|| false).unwrap().unwrap();
            (played.winner, played.reason, played.plies.len())
        };
        assert_eq!(end(&mate), (Some(Color::White), Termination::Checkmate, 1));
        assert_eq!(end(&quiet), (None, Termination::FiftyMoves, 1));
    }
}
