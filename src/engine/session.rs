//! Session: options, transposition table and game, and the search thread.
//!
//! One piece of work is under way at a time ([`Session::go`], [`Session::perft`], [`Session::bench`]); its
//! events come through [`Session::events`] until the last one, and it can be stopped. While a search runs,
//! the game may change (the search has its own copy), options take effect with the next search, and changes
//! of the transposition table are refused.

use super::bench::Bench;
use super::clock::{Clock, TimeControl};
use super::event::{Answer, Event, SentEvent};
use super::options::{Effect, OptionError, Options};
use super::strength::{Handicap, human_time};
use super::worker::{SearchWorker, WorkerOrder};
use crate::chess::book::{Book, BookError, BookMove};
use crate::chess::game::Game;
use crate::chess::score::{DRAW, Value, mated_in};
use crate::chess::syzygy::{NoTables, Tablebases};
use crate::engine::handle::SearchHandle;
use crate::engine::thread_pool::{BusyHelpers, Helper};
use crate::eval::Evaluation;
use crate::random::SplitMix64;
use crate::search::transposition::{Reservation, TableError};
use crate::search::{HumanErrors, Limits, Mode, Settings, Task, TranspositionTable};
use crossbeam_channel::{Receiver, bounded};
use shakmaty::Position as _;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Request of a search: limits and time control.
#[derive(Clone, Debug)]
pub struct Go {
    /// Time of the request, from which the clock runs.
    pub asked: Instant,
    /// The time control.
    pub time: TimeControl,
    /// The other limits.
    pub limits: Limits,
    /// True if no limit ends the search: the answer waits for [`Session::stop`], or with `ponder` for
    /// [`Session::ponderhit`].
    pub infinite: bool,
    /// True if people read the scores, as with `infinite`, although the answer waits for nothing.
    pub analysis: bool,
    /// True if the answer waits for [`Session::ponderhit`], and no time counts until then.
    pub ponder: bool,
    /// True if there is an event for every pass of a driver.
    pub passes: bool,
}

impl Default for Go {
    fn default() -> Go {
        Go {
            asked: Instant::now(),
            time: TimeControl::default(),
            limits: Limits::default(),
            infinite: false,
            analysis: false,
            ponder: false,
            passes: false,
        }
    }
}

impl Go {
    /// True if the search ends by itself, at a limit of depth, nodes, mate or time. The largest depth is such
    /// a limit too. The others wait for [`Session::stop`] or [`Session::ponderhit`].
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        !self.infinite && !self.ponder
    }

    /// True if the search is one for people who read the scores: `infinite` or `analysis`.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.infinite || self.analysis
    }

    /// True if a book move may answer: the search ends by itself, and is not one for a mate.
    fn admits_book_move(&self) -> bool {
        self.ends_by_itself() && self.limits.mate.is_none()
    }
}

/// Error of starting a session or setting an option.
#[derive(Debug)]
pub enum SessionError {
    /// The option does not exist, or cannot have this value.
    Option(OptionError),
    /// The transposition table cannot be allocated; nothing has changed.
    Table(TableError),
    /// The transposition table could not be allocated when the old one had been given back; there is an empty
    /// one of so many MiB.
    Emptied(TableError, usize),
    /// The transposition table is in use by a search.
    Busy,
    /// A search thread could not be started.
    Thread(std::io::Error),
    /// More search threads could not be started.
    MoreThreads(std::io::Error),
    /// The log file could not be opened.
    Log(std::io::Error),
    /// The opening book could not be used.
    Book(BookError),
    /// The tablebases could not be used.
    Tablebases(NoTables),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Option(error) => write!(f, "{error}"),
            SessionError::Table(error) => write!(f, "{error}; the old one stays"),
            SessionError::Emptied(error, mebibytes) => {
                write!(f, "{error}; there is an empty one of {mebibytes} MiB")
            }
            SessionError::Busy => write!(f, "the table cannot be changed while a search runs"),
            SessionError::Thread(error) => write!(f, "no thread can be started to search: {error}"),
            SessionError::MoreThreads(error) => {
                write!(f, "no more threads can be started to search: {error}; the old ones stay")
            }
            SessionError::Book(error) => write!(f, "{error}; the old one stays"),
            SessionError::Tablebases(error) => write!(f, "{error}; nothing changes"),
            SessionError::Log(error) => write!(f, "the log file cannot be opened: {error}"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<TableError> for SessionError {
    fn from(error: TableError) -> SessionError {
        SessionError::Table(error)
    }
}

/// Conditions of the values in the transposition table besides position and depth: those of a selective
/// search are none of a full-width one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableContents {
    mode: Mode,
    /// Fingerprint of the network; `None` for the hand-crafted evaluation.
    network: Option<u64>,
    errors: Option<HumanErrors>,
    fifty_moves: bool,
    /// Number of the tablebases that are probed, and the most men of a position that is.
    tables: Option<(usize, usize)>,
}

impl TableContents {
    /// The conditions of a search with these settings.
    fn of(settings: &Settings) -> TableContents {
        let Settings { mode, errors, syzygy, .. } = settings;
        let probes = *mode == Mode::Play && syzygy.probe_limit > 0;
        let tables = syzygy.tablebases.as_ref().filter(|_| probes);
        TableContents {
            mode: *mode,
            network: settings.network().map(|network| network.fingerprint),
            errors: *errors,
            fifty_moves: syzygy.fifty_moves,
            tables: tables.map(|tables| (tables.files(), tables.men().min(syzygy.probe_limit))),
        }
    }
}

/// The work under way.
struct Work {
    handle: Arc<SearchHandle>,
    /// True if it ends without a stop.
    limited: bool,
}

/// Options, transposition table, game, and the search thread.
pub struct Session {
    options: Options,
    tt: Arc<TranspositionTable>,
    game: Game,
    book: Book,
    /// Source of book choices and of `seed`.
    random: SplitMix64,
    /// Seed of the errors of this game, with limited strength.
    seed: u64,
    /// The evaluation of the searches since histories and transposition table were last empty; `None` if
    /// there was no search.
    table_contents: Option<TableContents>,
    worker: SearchWorker,
    work: Option<Work>,
    /// Helpers that are still searching.
    busy: BusyHelpers,
}

impl Session {
    /// A session with these options, at the start of a game.
    ///
    /// # Errors
    /// If the transposition table cannot be allocated, book or tablebases cannot be opened, or threads cannot
    /// be started.
    pub fn new(options: Options) -> Result<Session, SessionError> {
        let tt = Arc::new(TranspositionTable::new_with(options.hash, options.threads)?);
        let book = open_book(&options).map_err(SessionError::Book)?;
        let busy = BusyHelpers::default();
        let worker = SearchWorker::start(&tt, busy.clone()).map_err(SessionError::Thread)?;
        let mut options = options;
        open_tablebases(&mut options).map_err(SessionError::Tablebases)?;
        let wanted = options.threads;
        let mut session = Session {
            options: Options { threads: 1, ..options },
            tt,
            game: Game::new(),
            book,
            random: SplitMix64::new(0),
            seed: 0,
            table_contents: None,
            worker,
            work: None,
            busy,
        };
        session.set_seed(seed());
        session.set_threads(wanted)?;
        session.options.threads = wanted;
        Ok(session)
    }

    /// Seeds what is random: the choice among book moves and the errors of limited strength, in this game and
    /// those after it. Without it, every session has a seed of its own.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
        self.seed = self.random.next();
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game whose position is searched next.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sets the game of the next search.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Sets an option by name and carries out its [`Effect`]; returns messages for the user.
    ///
    /// # Errors
    /// If there is no such option, it cannot have this value, its effect fails, or the transposition table is
    /// in use. The options are then unchanged, but for `hash` where not even a table of the old size could be
    /// had again.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Vec<String>, SessionError> {
        let mut options = self.options.clone();
        let mut notes = Vec::new();
        match options.set(name, value).map_err(SessionError::Option)? {
            Effect::ResizeHash | Effect::ClearHash if self.is_busy() => return Err(SessionError::Busy),
            Effect::ResizeHash => self.resize_tt(options.hash)?,
            Effect::ClearHash => self.clear_tt(),
            Effect::SetThreads => self.set_threads(options.threads)?,
            Effect::RedirectLog => {
                super::logging::redirect(options.log_file.as_deref()).map_err(SessionError::Log)?;
            }
            Effect::OpenBook => self.book = open_book(&options).map_err(SessionError::Book)?,
            Effect::OpenTablebases => {
                notes = open_tablebases(&mut options).map_err(SessionError::Tablebases)?;
            }
            Effect::TellEvaluation => notes.push(evaluation_in_words(&options.settings)),
            Effect::Nothing => {}
        }
        self.options = options;
        Ok(notes)
    }

    /// Errors of the tablebases since the last call.
    #[must_use]
    pub fn take_tablebase_errors(&self) -> Vec<String> {
        let tablebases = self.options.settings.syzygy.tablebases.as_ref();
        tablebases.map_or_else(Vec::new, |tablebases| tablebases.take_errors())
    }

    /// The opening book.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The book move that answers a search, if there is one.
    fn book_move(&mut self, go: &Go, handicap: Option<&Handicap>) -> Option<BookMove> {
        let known = handicap.is_some_and(|handicap| handicap.knows_opening(self.move_number()));
        let read_by_people = self.options.is_analysis(go.is_analysis());
        if !(self.options.own_book || known) || read_by_people || !go.admits_book_move() {
            return None;
        }
        let mode = self.options.book_mode;
        self.book.choose(self.game.position(), &go.limits.moves, mode, &mut self.random)
    }

    /// Replaces the transposition table by one of another size. The old one is given back first, since there
    /// may not be memory for both; where the new one fails nevertheless, an empty one of the old size takes
    /// its place.
    fn resize_tt(&mut self, mebibytes: usize) -> Result<(), SessionError> {
        let old = self.tt.mebibytes();
        if mebibytes == old {
            return Ok(());
        }
        // It takes the place of the old one; asked for first, since what is reserved then counts as taken.
        let smallest = TranspositionTable::new(1)?;
        let reservation = Reservation::new(mebibytes, old)?;
        self.use_tt(smallest);
        let threads = self.options.threads;
        let refused = match reservation.allocate(threads) {
            Ok(table) => {
                self.use_tt(table);
                return Ok(());
            }
            Err(refused) => refused,
        };
        if let Ok(table) = TranspositionTable::new_with(old, threads) {
            self.use_tt(table);
        }
        self.options.hash = self.tt.mebibytes();
        Err(SessionError::Emptied(refused, self.options.hash))
    }

    /// Takes another transposition table, and waits until the last thread has given up the old one.
    fn use_tt(&mut self, table: TranspositionTable) {
        let (done, all_done) = bounded(0);
        let tt = Arc::new(table);
        self.worker.order(WorkerOrder::SetTt { tt: Arc::clone(&tt), done });
        // Nothing is ever sent: the end is that of the last sender.
        let _ = all_done.recv();
        self.tt = tt;
    }

    /// Starts or ends helpers of the thread pool. A search that runs keeps its own.
    fn set_threads(&mut self, count: usize) -> Result<(), SessionError> {
        let (old, new) = (self.options.threads.saturating_sub(1), count.saturating_sub(1));
        let others = (old..new).map(|_| Helper::start(&self.tt, &self.busy)).collect::<Result<Vec<_>, _>>();
        let others = others.map_err(SessionError::MoreThreads)?;
        if old != new {
            self.worker.order(WorkerOrder::SetHelpers { keep: old.min(new), others });
        }
        Ok(())
    }

    /// Clears the transposition table of an idle session, with all its threads.
    fn clear_tt(&self) {
        self.busy.wait_for_all();
        self.tt.clear_with(self.options.threads);
    }

    /// Clears histories and transposition table; while a search runs, as soon as it is over.
    pub fn new_game(&mut self) {
        // An idle session clears at once, so that the time does not come off the next search's clock.
        if !self.is_busy() {
            self.clear_tt();
        }
        self.worker.order(WorkerOrder::Forget { tt: self.is_busy() });
        self.table_contents = None;
        self.seed = self.random.next();
    }

    /// Handicap of a search with limited strength: only of one for a move in a game.
    fn handicap(&self, go: &Go) -> Option<Handicap> {
        let in_game = !self.options.analyse && (!go.is_analysis() || go.ponder) && go.limits.mate.is_none();
        self.options.limited_elo().filter(|_| in_game).map(|elo| Handicap::of(elo, self.seed))
    }

    /// The settings of a search.
    fn settings(&self, go: &Go, handicap: Option<Handicap>) -> Settings {
        let mut settings = self.options.settings.clone();
        settings.backend = self.options.backend(go.is_analysis());
        settings.drivers.grid = self.options.grid(go.is_analysis());
        if let Some(handicap) = handicap {
            handicap.weaken(&mut settings);
        }
        settings
    }

    /// Clears histories and transposition table before a search if they were filled by a search of other
    /// values.
    fn forget_other_values(&mut self, settings: &Settings) {
        let contents = TableContents::of(settings);
        if self.table_contents.is_some_and(|before| before != contents) {
            self.worker.order(WorkerOrder::Forget { tt: true });
        }
        self.table_contents = Some(contents);
    }

    /// Starts a search of the game's position; work under way is stopped first, and its last events are
    /// dropped. The last event is [`Event::Answer`]. With [`Options::own_book`], the book answers instead if
    /// it knows a move. A root without legal moves is not searched: its value, checkmate or stalemate, is
    /// returned.
    pub fn go(&mut self, go: Go) -> Option<Value> {
        self.end_work();
        let root = self.game.position().clone();
        let handicap = self.handicap(&go);
        if let Some(found) = self.book_move(&go, handicap.as_ref()) {
            let handle = self.finite_work();
            let mut clock = Box::new(self.clock(&go, handle, false));
            clock.pause = self.human_time(&go, &clock, handicap.as_ref());
            self.worker.order(WorkerOrder::AnswerFromBook(found, clock));
            return None;
        }
        let settings = self.settings(&go, handicap);
        self.forget_other_values(&settings);
        let handle = Arc::new(SearchHandle::new(go.infinite, go.ponder));
        self.work = Some(Work { handle: Arc::clone(&handle), limited: go.ends_by_itself() });
        let moves = root.chess().legal_moves().len();
        if moves == 0 {
            let value = if root.in_check() { mated_in(0) } else { DRAW };
            self.worker.order(WorkerOrder::NoMoves { value, asked: go.asked, handle });
            return Some(value);
        }
        let mut clock = Box::new(self.clock(&go, handle, moves == 1));
        clock.pause = self.human_time(&go, &clock, handicap.as_ref());
        let nodes = go.limits.nodes.into_iter().chain(handicap.map(|handicap| handicap.nodes)).min();
        let task = Box::new(Task {
            root,
            key_history: self.game.key_history().to_vec(),
            settings,
            limits: Limits { nodes, ..go.limits },
        });
        self.worker.order(WorkerOrder::Search { task, clock, passes: go.passes });
        None
    }

    /// Number of the move to be played.
    fn move_number(&self) -> u32 {
        u32::from(self.game.position().chess().fullmoves())
    }

    /// Time that an answer takes at least: none at full strength, in pondering, and with `HumanTime` off.
    fn human_time(&mut self, go: &Go, clock: &Clock, handicap: Option<&Handicap>) -> Duration {
        if handicap.is_none() || !self.options.human_time || go.ponder {
            return Duration::ZERO;
        }
        human_time(clock.limits(), self.move_number(), clock.forced, &mut self.random)
    }

    /// Time management of a search; `forced` if there is one legal move only.
    fn clock(&self, go: &Go, handle: Arc<SearchHandle>, forced: bool) -> Clock {
        let limits = go.time.limits(self.options.move_overhead, self.options.ponder);
        let mut clock = Clock::new(handle, go.asked, limits);
        clock.forced = forced || go.limits.moves.len() == 1;
        clock.analyse = self.options.analyse;
        clock.answer_on_hit = go.ponder && go.infinite;
        clock
    }

    /// Starts perft: counts the positions after exactly `depth` plies, in place of work under way. The last
    /// event is [`Event::PerftDone`].
    pub fn perft(&mut self, depth: u32) {
        self.end_work();
        let handle = self.finite_work();
        self.worker.order(WorkerOrder::Perft { position: self.game.position().clone(), depth, handle });
    }

    /// Starts the bench at `depth` plies with so many threads, and the evaluation that is set, in place of
    /// work under way. The last event is [`Event::Bench`].
    pub fn bench(&mut self, depth: i32, threads: usize) {
        self.end_work();
        let handle = self.finite_work();
        let bench = Bench { depth, threads, network: self.options.settings.network().cloned() };
        self.worker.order(WorkerOrder::Bench { bench, handle });
    }

    /// Registers work that ends by itself.
    fn finite_work(&mut self) -> Arc<SearchHandle> {
        let handle = Arc::new(SearchHandle::new(false, false));
        self.work = Some(Work { handle: Arc::clone(&handle), limited: true });
        handle
    }

    /// Stops the work under way, if any, waits for its end, and drops the events that nobody has received.
    fn end_work(&mut self) {
        if self.work.is_none() {
            return;
        }
        self.stop();
        // No wait for the last event: the user may have received that without opening it.
        let (done, all_done) = bounded(0);
        self.worker.order(WorkerOrder::Signal(done));
        // Nothing is ever sent: the end is that of the sender.
        let _ = all_done.recv();
        while self.worker.events().try_recv().is_ok() {}
        self.work = None;
    }

    /// Stops the work under way, if any; its last event is still to come.
    pub fn stop(&self) {
        if let Some(work) = &self.work {
            work.handle.stop();
        }
    }

    /// Reports a ponderhit: the opponent has played the expected move.
    pub fn ponderhit(&mut self, at: Instant) {
        if let Some(work) = &mut self.work {
            // Its limits count from now on; without one it is answered at once.
            work.limited |= work.handle.is_pondering();
            work.handle.ponderhit(at);
        }
    }

    /// True until the last event of the work has been seen.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// True if the work under way does not end by itself ([`Go::ends_by_itself`]): it needs a stop or a
    /// ponderhit.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.work.as_ref().is_some_and(|work| !work.limited)
    }

    /// Events of the work as they are sent, to wait for them beside other channels; [`Session::open`] unwraps
    /// them.
    #[must_use]
    pub fn events(&self) -> &Receiver<SentEvent> {
        self.worker.events()
    }

    /// Unwraps an event; the last one ends the work.
    pub fn open(&mut self, SentEvent(event): SentEvent) -> Event {
        if event.is_last() {
            self.work = None;
        }
        event
    }

    /// Waits for the next event of the work; `None` if none is under way.
    pub fn next_event(&mut self) -> Option<Event> {
        self.work.as_ref()?;
        match self.worker.events().recv() {
            Ok(sent) => Some(self.open(sent)),
            Err(_) => {
                self.work = None;
                None
            }
        }
    }

    /// Searches and waits for the answer.
    pub fn search(&mut self, go: Go) -> Answer {
        self.go(go);
        while let Some(event) = self.next_event() {
            if let Event::Answer(answer) = event {
                return *answer;
            }
        }
        Answer::default()
    }
}

/// Message that names the evaluation of the searches from now on.
fn evaluation_in_words(settings: &Settings) -> String {
    match (settings.network(), settings.evaluation) {
        (Some(network), _) => format!("evaluation by network: {network}"),
        (None, Evaluation::HandCrafted) => "hand-crafted evaluation".to_owned(),
        (None, Evaluation::Network) => "no network is loaded: hand-crafted evaluation".to_owned(),
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The worker, dropped next, waits for its thread.
        self.stop();
    }
}

/// Opens the opening book of the options.
fn open_book(options: &Options) -> Result<Book, BookError> {
    options.book_file.as_deref().map_or_else(|| Ok(Book::own()), Book::read)
}

/// Opens the tablebases of the options; returns messages for the user.
fn open_tablebases(options: &mut Options) -> Result<Vec<String>, NoTables> {
    options.settings.syzygy.tablebases = None;
    if options.syzygy_path.is_empty() {
        return Ok(Vec::new());
    }
    let tablebases = Tablebases::open(&options.syzygy_path)?;
    let mut notes = vec![format!("{} Syzygy tables with up to {} men", tablebases.files(), tablebases.men())];
    notes.extend(tablebases.take_errors());
    options.settings.syzygy.tablebases = Some(Arc::new(tablebases));
    Ok(notes)
}

/// A seed from the time, different in every run of the program.
fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session::new(Options { hash: 1, ..Options::default() }).unwrap()
    }

    fn to_depth(depth: i32) -> Go {
        Go { limits: Limits { depth, ..Limits::default() }, ..Go::default() }
    }

    #[test]
    fn searches_of_limited_strength_keep_the_hand_crafted_evaluation() {
        let session = session();
        let network = |handicap| session.settings(&Go::default(), handicap).network().is_some();
        assert!(!network(Some(Handicap::of(1500, 1))));
        assert_eq!(network(None), session.options.settings.network().is_some());
    }

    #[test]
    fn limited_strength_takes_its_time_on_a_clock_and_obeys_a_stop() {
        let mut session = session();
        session.set_option("Level", Some("beginner")).unwrap();
        let go = |milliseconds| Go {
            time: TimeControl {
                remaining: Some(Duration::from_millis(milliseconds)),
                ..TimeControl::default()
            },
            ..Go::default()
        };
        let soft = go(9000).time.limits(session.options.move_overhead, false).soft.unwrap();
        assert!(session.search(go(9000)).time >= soft.mul_f64(0.25 * 0.33));
        // Without the stop it would think for minutes.
        session.go(go(100_000_000));
        session.stop();
        while session.next_event().is_some() {}
        session.set_option("HumanTime", Some("false")).unwrap();
        assert!(session.search(go(100_000_000)).outcome.best.is_some());
    }

    #[test]
    fn a_search_that_pondered_ends_by_itself_after_the_hit() {
        let mut session = session();
        let ponder = |infinite| Go { ponder: true, infinite, ..to_depth(3) };
        for infinite in [false, true] {
            session.go(ponder(infinite));
            assert!(session.is_endless());
            session.ponderhit(Instant::now());
            assert!(!session.is_endless());
            while session.next_event().is_some() {}
        }
        session.go(Go { infinite: true, ..to_depth(3) });
        session.ponderhit(Instant::now());
        assert!(session.is_endless(), "nobody pondered");
        session.stop();
        while session.next_event().is_some() {}
    }

    #[test]
    fn a_search_answers_with_a_legal_move() {
        let mut session = session();
        let answer = session.search(to_depth(2));
        let best = answer.outcome.best.unwrap();
        assert!(session.game().legal_moves().contains(&best));
        assert!(answer.fault.is_none() && !session.is_busy());
    }

    #[test]
    fn a_mated_root_is_answered_without_a_move() {
        let mut session = session();
        session.set_game(Game::parse_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap());
        let outcome = session.search(to_depth(2)).outcome;
        assert_eq!((outcome.best, outcome.value), (None, mated_in(0)));
    }

    #[test]
    fn an_infinite_search_waits_for_the_stop() {
        let mut session = session();
        session.go(Go { infinite: true, ..to_depth(1) });
        assert!(session.is_endless());
        let late = Instant::now() + Duration::from_millis(100);
        while let Ok(sent) = session.events().recv_deadline(late) {
            assert!(!session.open(sent).is_last());
        }
        session.stop();
        while session.next_event().is_some() {}
        assert!(!session.is_busy());
    }

    #[test]
    fn new_work_ends_the_work_under_way() {
        let mut session = session();
        let infinite = || Go { infinite: true, ..Go::default() };
        session.go(infinite());
        session.go(infinite());
        session.perft(2);
        let mut events = std::iter::from_fn(|| session.next_event());
        assert!(matches!(events.find(Event::is_last), Some(Event::PerftDone(Some(400)))));
        assert!(events.next().is_none());
        session.bench(40, 1);
        session.go(Go { ponder: true, ..Go::default() });
        assert_eq!(session.search(to_depth(2)).outcome.depth, 2);
        assert!(!session.is_busy());
        // Dropped while it searches for the second time.
        session.go(infinite());
        session.go(infinite());
    }

    #[test]
    fn an_analysis_that_waits_for_nothing_is_searched_as_an_infinite_one() {
        let mut session = session();
        let of = |session: &Session, go: &Go| {
            let settings = session.settings(go, session.handicap(go));
            (settings.backend, settings.drivers.grid, settings.errors.is_some())
        };
        session.set_option("UCI_LimitStrength", Some("true")).unwrap();
        let infinite = of(&session, &Go { infinite: true, ..Go::default() });
        let analysis = Go { analysis: true, ..to_depth(2) };
        assert_eq!(of(&session, &analysis), infinite);
        assert_ne!(of(&session, &to_depth(2)), infinite);
        session.set_option("OwnBook", Some("true")).unwrap();
        let answer = session.search(analysis);
        assert!(answer.outcome.depth == 2, "it ends by itself, and is no book move");
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn values_of_other_tablebases_are_forgotten() {
        let folder = crate::chess::syzygy::real::folder().display().to_string();
        let mut session = session();
        session.set_game(Game::parse_fen("8/8/1k6/8/3n4/8/3R4/K2R4 w - - 0 1").unwrap());
        let mut found = |path: &str, most_men: &str| {
            session.set_option("SyzygyPath", Some(path)).unwrap();
            session.set_option("SyzygyProbeLimit", Some(most_men)).unwrap();
            let outcome = session.search(to_depth(6)).outcome;
            (outcome.value, outcome.stats.made_moves)
        };
        let without = found("<empty>", "7");
        assert_ne!(found(&folder, "7"), without);
        assert_eq!(found(&folder, "0"), without, "nothing is probed");
        assert_ne!(found(&folder, "7"), without);
        assert_eq!(found("<empty>", "7"), without, "there are no tables");
    }

    #[test]
    fn the_transposition_table_is_not_resized_during_a_search() {
        let mut session = session();
        session.go(Go { infinite: true, ..Go::default() });
        assert!(matches!(session.set_option("Hash", Some("2")), Err(SessionError::Busy)));
        assert!(session.set_option("Grid", Some("1")).is_ok());
        assert_eq!(session.options().hash, 1);
        session.stop();
        while session.next_event().is_some() {}
        assert!(session.set_option("Hash", Some("2")).is_ok());
        assert_eq!(session.options().hash, 2);
    }

    #[test]
    fn the_old_transposition_table_is_dropped_before_the_option_is_set() {
        let mut session = Session::new(Options { hash: 1, threads: 3, ..Options::default() }).unwrap();
        session.search(to_depth(5));
        let old = Arc::downgrade(&session.tt);
        session.set_option("Hash", Some("2")).unwrap();
        assert_eq!(old.strong_count(), 0);
        assert_eq!(session.tt.mebibytes(), 2);
        assert!(session.search(to_depth(9)).outcome.best.is_some());
        assert!(session.tt.hashfull() > 0, "the search uses the new one");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_transposition_table_beyond_the_memory_leaves_the_old_one_and_its_entries() {
        let mut session = session();
        session.search(to_depth(5));
        let filled = session.tt.hashfull();
        assert!(matches!(session.set_option("Hash", Some("1048576")), Err(SessionError::Table(_))));
        assert_eq!((session.options().hash, session.tt.mebibytes()), (1, 1));
        assert_eq!((session.tt.hashfull(), filled > 0), (filled, true));
    }

    #[test]
    fn dropping_a_searching_session_ends_the_search() {
        let mut session = session();
        session.go(Go { infinite: true, ..Go::default() });
    }

    #[test]
    fn perft_counts_branches() {
        let mut session = session();
        session.perft(3);
        let mut branches = 0;
        while let Some(event) = session.next_event() {
            match event {
                Event::PerftMove(..) => branches += 1,
                Event::PerftDone(total) => assert_eq!(total, Some(8902)),
                _ => {}
            }
        }
        assert_eq!(branches, 20);
    }
}
