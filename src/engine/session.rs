//! A session: options, table and game, and the thread that searches, alone or with helpers.
//!
//! Whoever holds a session asks for one piece of work at a time ([`Session::go`], [`Session::perft`],
//! [`Session::bench`]), hears of it through [`Session::events`] until the last event, and may stop it. What is
//! asked while a search runs: the game may change (the search has its own copy), options take effect with the
//! next search, and what would take the table from under the search is refused.

use super::clock::{Clock, TimeControl};
use super::event::{Answer, Event};
use super::options::{Effect, OptionError, Options};
use super::strength::Handicap;
use super::worker::{Order, SearchWorker};
use crate::chess::book::{Book, BookError, BookMove};
use crate::chess::game::Game;
use crate::chess::score::{DRAW, Value, mated_in};
use crate::chess::syzygy::{NoTables, Tablebases};
use crate::engine::handle::SearchHandle;
use crate::engine::thread_pool::{AtWork, Helper};
use crate::eval::EvalNoise;
use crate::random::SplitMix64;
use crate::search::transposition::TableError;
use crate::search::{Limits, Settings, Task, TranspositionTable};
use crossbeam_channel::Receiver;
use shakmaty::Position as _;
use std::fmt;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A search as it is asked for.
#[derive(Clone, Debug)]
pub struct Go {
    /// When it was asked for: the clock runs from then on.
    pub asked: Instant,
    /// The time there is.
    pub time: TimeControl,
    /// What else may end it.
    pub limits: Limits,
    /// Whether the answer waits for [`Session::stop`].
    pub infinite: bool,
    /// Whether the answer waits for [`Session::ponderhit`], and no time counts until then.
    pub ponder: bool,
    /// Whether every pass of a driver is to be heard of.
    pub passes: bool,
}

impl Default for Go {
    fn default() -> Go {
        Go {
            asked: Instant::now(),
            time: TimeControl::default(),
            limits: Limits::default(),
            infinite: false,
            ponder: false,
            passes: false,
        }
    }
}

impl Go {
    /// Whether something other than a stop is sure to end it.
    fn is_limited(&self) -> bool {
        let depth = self.limits.depth < Limits::default().depth;
        depth || self.limits.nodes.is_some() || !self.time.is_unlimited()
    }

    /// Whether a move is all that is wanted, wherever it comes from: a search that ends by itself, and not one
    /// for a mate.
    fn wants_any_move(&self) -> bool {
        self.is_limited() && !self.infinite && !self.ponder && self.limits.mate.is_none()
    }
}

/// Why a session could not begin, or an option not be set.
#[derive(Debug)]
pub enum SessionError {
    /// The option table says why.
    Option(OptionError),
    /// There is no room for the table.
    Table(TableError),
    /// The table is in use by a search.
    Busy,
    /// A searching thread could not be started.
    Thread(std::io::Error),
    /// The log file could not be opened.
    Log(std::io::Error),
    /// The opening book could not be used.
    Book(BookError),
    /// The endgame tables could not be used.
    Tablebases(NoTables),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Option(error) => write!(f, "{error}"),
            SessionError::Table(error) => write!(f, "{error}; the old one stays"),
            SessionError::Busy => write!(f, "the table cannot be changed while a search runs"),
            SessionError::Thread(error) => write!(f, "no thread can be started to search: {error}"),
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

/// Work that is under way.
struct Work {
    handle: Arc<SearchHandle>,
    limited: bool,
}

/// Options, table, game, and the thread that searches.
pub struct Session {
    options: Options,
    table: Arc<TranspositionTable>,
    game: Game,
    book: Book,
    /// Chooses among the book's moves and what a weaker player misjudges.
    random: SplitMix64,
    /// What a weaker player misjudges in this game.
    seed: u64,
    /// The blur under which table and memory were filled, since they were last empty.
    filled_under: Option<Option<EvalNoise>>,
    worker: SearchWorker,
    work: Option<Work>,
    /// Helpers that have not ended yet.
    at_work: AtWork,
}

impl Session {
    /// A session with these options, at the start of a game.
    ///
    /// # Errors
    /// Where the table or the thread cannot be had.
    pub fn new(options: Options) -> Result<Session, SessionError> {
        let table = Arc::new(TranspositionTable::new_with(options.hash, options.threads)?);
        let book = open_book(&options).map_err(SessionError::Book)?;
        let at_work = AtWork::default();
        let worker = SearchWorker::start(&table, at_work.clone()).map_err(SessionError::Thread)?;
        let mut options = options;
        open_tables(&mut options).map_err(SessionError::Tablebases)?;
        let wanted = options.threads;
        let mut random = SplitMix64::new(seed());
        let seed = random.next();
        let mut session = Session {
            options: Options { threads: 1, ..options },
            table,
            game: Game::new(),
            book,
            random,
            seed,
            filled_under: None,
            worker,
            work: None,
            at_work,
        };
        session.set_threads(wanted)?;
        session.options.threads = wanted;
        Ok(session)
    }

    /// The options as they are.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game that the next search looks at.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Takes another game, for the next search.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Sets an option by name and does what follows from it; what there is to say about that.
    ///
    /// # Errors
    /// Where there is no such option, it cannot have this value, the table cannot be had, or it is in use. The
    /// state is then unchanged.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Vec<String>, SessionError> {
        let mut options = self.options.clone();
        let mut notes = Vec::new();
        match options.set(name, value).map_err(SessionError::Option)? {
            Effect::ResizeHash | Effect::ClearHash if self.is_busy() => return Err(SessionError::Busy),
            Effect::ResizeHash => self.resize_table(options.hash)?,
            Effect::ClearHash => self.clear_table(),
            Effect::SetThreads => self.set_threads(options.threads)?,
            Effect::RedirectLog => {
                super::logging::redirect(options.log_file.as_deref()).map_err(SessionError::Log)?;
            }
            Effect::OpenBook => self.book = open_book(&options).map_err(SessionError::Book)?,
            Effect::OpenTablebases => notes = open_tables(&mut options).map_err(SessionError::Tablebases)?,
            Effect::Nothing => {}
        }
        self.options = options;
        Ok(notes)
    }

    /// Errors of the tablebases since the last call.
    #[must_use]
    pub fn take_tablebase_troubles(&self) -> Vec<String> {
        let tables = self.options.settings.syzygy.tablebases.as_ref();
        tables.map_or_else(Vec::new, |tables| tables.take_troubles())
    }

    /// The opening book that is open.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The move of the book that answers a search, if one does.
    fn book_move(&mut self, go: &Go) -> Option<BookMove> {
        if !self.options.own_book || self.options.analyse || !go.wants_any_move() {
            return None;
        }
        let mode = self.options.book_mode;
        self.book.choose(self.game.position(), &go.limits.moves, mode, &mut self.random)
    }

    fn resize_table(&mut self, mebibytes: usize) -> Result<(), SessionError> {
        if mebibytes != self.table.mebibytes() {
            self.table = Arc::new(TranspositionTable::new_with(mebibytes, self.options.threads)?);
            self.worker.order(Order::TakeTable(Arc::clone(&self.table)));
        }
        Ok(())
    }

    /// Gets or dismisses helpers. A search that runs goes on with those that it has.
    fn set_threads(&mut self, count: usize) -> Result<(), SessionError> {
        let (old, new) = (self.options.threads.saturating_sub(1), count.saturating_sub(1));
        let others =
            (old..new).map(|_| Helper::start(&self.table, &self.at_work)).collect::<Result<Vec<_>, _>>();
        let others = others.map_err(SessionError::Thread)?;
        if old != new {
            self.worker.order(Order::TakeHelpers { keep: old.min(new), others });
        }
        Ok(())
    }

    /// Clears the table of a session that is idle, with all its threads.
    fn clear_table(&self) {
        self.at_work.wait_for_all();
        self.table.clear_with(self.options.threads);
    }

    /// Forgets everything learnt in the last game; while a search runs, as soon as it is over.
    pub fn new_game(&mut self) {
        // An idle session clears here and now, so that the time does not come off the next search's clock.
        if !self.is_busy() {
            self.clear_table();
        }
        self.worker.order(Order::Forget { table: self.is_busy() });
        self.filled_under = None;
        self.seed = self.random.next();
    }

    /// What a search has to do without: one for a move, in a game, with limited strength.
    fn handicap(&self, go: &Go) -> Option<Handicap> {
        let in_game = !self.options.analyse && !go.infinite && go.limits.mate.is_none();
        (self.options.limit_strength && in_game).then(|| Handicap::of(self.options.elo, self.seed))
    }

    /// Clears histories and transposition table before a search if they were filled under another evaluation noise.
    fn forget_other_noise(&mut self, noise: Option<EvalNoise>) {
        if self.filled_under.is_some_and(|before| before != noise) {
            self.worker.order(Order::Forget { table: true });
        }
        self.filled_under = Some(noise);
    }

    /// Begins a search of the game's position; a session that is busy begins it afterwards. The last event is
    /// [`Event::Answer`]. With [`Options::own_book`], the book answers instead if it knows a move. A root without
    /// legal moves is not searched: its value, checkmate or stalemate, is returned.
    pub fn go(&mut self, go: Go) -> Option<Value> {
        if let Some(found) = self.book_move(&go) {
            self.finite_work();
            self.worker.order(Order::Play(found, go.asked));
            return None;
        }
        let root = self.game.position().clone();
        let handicap = self.handicap(&go);
        let noise = handicap.map(|handicap| handicap.noise);
        self.forget_other_noise(noise);
        let handle = Arc::new(SearchHandle::new(go.infinite, go.ponder));
        let limited = go.is_limited() && !go.infinite && !go.ponder;
        self.work = Some(Work { handle: Arc::clone(&handle), limited });
        let moves = root.chess().legal_moves().len();
        if moves == 0 {
            let value = if root.in_check() { mated_in(0) } else { DRAW };
            self.worker.order(Order::NoMoves { value, asked: go.asked, handle });
            return Some(value);
        }
        let clock = Box::new(self.clock(&go, handle, moves == 1));
        let nodes = go.limits.nodes.into_iter().chain(handicap.map(|handicap| handicap.nodes)).min();
        let task = Box::new(Task {
            root,
            line: self.game.earlier().to_vec(),
            settings: Settings { noise, ..self.options.settings.clone() },
            limits: Limits { nodes, ..go.limits },
        });
        self.worker.order(Order::Search { task, clock, passes: go.passes });
        None
    }

    /// Time management of a search; `forced` if there is one legal move only.
    fn clock(&self, go: &Go, handle: Arc<SearchHandle>, forced: bool) -> Clock {
        let allowance = go.time.allowance(self.options.move_overhead, self.options.ponder);
        let mut clock = Clock::new(handle, go.asked, allowance);
        clock.forced = forced || go.limits.moves.len() == 1;
        clock.analyse = self.options.analyse;
        clock.answer_on_hit = go.ponder && !go.is_limited() && go.limits.mate.is_none();
        clock
    }

    /// Begins to count the positions after exactly `depth` plies. The last event is [`Event::Counted`].
    pub fn perft(&mut self, depth: u32) {
        let handle = self.finite_work();
        self.worker.order(Order::Perft { position: self.game.position().clone(), depth, handle });
    }

    /// Begins the bench at `depth` plies with so many threads. The last event is [`Event::Bench`].
    pub fn bench(&mut self, depth: i32, threads: usize) {
        let handle = self.finite_work();
        self.worker.order(Order::Bench { depth, threads, handle });
    }

    fn finite_work(&mut self) -> Arc<SearchHandle> {
        let handle = Arc::new(SearchHandle::new(false, false));
        self.work = Some(Work { handle: Arc::clone(&handle), limited: true });
        handle
    }

    /// Ends the work that is under way, if any; its last event is still to come.
    pub fn stop(&self) {
        if let Some(work) = &self.work {
            work.handle.stop();
        }
    }

    /// The opponent has played the move that is pondered on.
    pub fn ponderhit(&self, at: Instant) {
        if let Some(work) = &self.work {
            work.handle.ponderhit(at);
        }
    }

    /// Whether work is under way, as far as its events have been seen.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// Whether the work that is under way might never end without a stop.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.work.as_ref().is_some_and(|work| !work.limited)
    }

    /// What is heard of the work. Whoever takes an event from here shows it to [`Session::note`].
    #[must_use]
    pub fn events(&self) -> &Receiver<Event> {
        self.worker.events()
    }

    /// Takes note of an event.
    pub fn note(&mut self, event: &Event) {
        if event.is_last() {
            self.work = None;
        }
    }

    /// Waits for the next event of the work; `None` when none is under way.
    pub fn next_event(&mut self) -> Option<Event> {
        self.work.as_ref()?;
        let event = self.worker.events().recv().ok();
        match &event {
            Some(event) => self.note(event),
            None => self.work = None,
        }
        event
    }

    /// Searches and waits for the answer, for those who have nothing else to do.
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

impl Drop for Session {
    fn drop(&mut self) {
        // The worker, dropped next, waits for its thread.
        self.stop();
    }
}

/// The book that the options name.
fn open_book(options: &Options) -> Result<Book, BookError> {
    options.book_file.as_deref().map_or_else(|| Ok(Book::own()), Book::read)
}

/// Opens the endgame tables that the options name; what there is to say about them.
fn open_tables(options: &mut Options) -> Result<Vec<String>, NoTables> {
    options.settings.syzygy.tablebases = None;
    if options.syzygy_path.is_empty() {
        return Ok(Vec::new());
    }
    let tables = Tablebases::open(&options.syzygy_path)?;
    let mut notes = vec![format!("{} Syzygy tables with up to {} men", tables.files(), tables.men())];
    notes.extend(tables.take_troubles());
    options.settings.syzygy.tablebases = Some(Arc::new(tables));
    Ok(notes)
}

/// A seed that differs from one start of the program to the next.
fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn session() -> Session {
        Session::new(Options { hash: 1, ..Options::default() }).unwrap()
    }

    fn to_depth(depth: i32) -> Go {
        Go { limits: Limits { depth, ..Limits::default() }, ..Go::default() }
    }

    #[test]
    fn a_search_answers_with_a_legal_move() {
        let mut session = session();
        let answer = session.search(to_depth(2));
        let best = answer.outcome.best.unwrap();
        assert!(session.game().legal_moves().contains(&best));
        assert!(answer.trouble.is_none() && !session.is_busy());
    }

    #[test]
    fn a_mated_root_has_no_answer() {
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
        while let Ok(event) = session.events().recv_deadline(late) {
            assert!(!event.is_last());
        }
        session.stop();
        while session.next_event().is_some() {}
        assert!(!session.is_busy());
    }

    #[test]
    fn the_table_is_not_changed_under_a_search() {
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
                Event::Branch(..) => branches += 1,
                Event::Counted(total) => assert_eq!(total, Some(8902)),
                _ => {}
            }
        }
        assert_eq!(branches, 20);
    }
}
