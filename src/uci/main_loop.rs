//! The UCI loop: executes the commands of the input, and prints the events of the session.

use super::command::{Command, PositionSpec, Printable, parse};
use super::go::GoCommand;
use super::info_filter::InfoFilter;
use super::input::{InputLine, MOST_LINE};
use super::manual;
use super::output::{self, Output};
use super::queue::{Queue, Waiting, never_waits};
use super::words::shortened;
use crate::chess::book::BookMove;
use crate::chess::game::Game;
use crate::chess::score::UNITS_PER_PAWN;
use crate::engine::event::{Answer, Event, SentEvent};
use crate::engine::options::{Declaration, Options};
use crate::engine::{Session, bench, wdl_model};
use crate::eval::Evaluator;
use crate::legible;
use crate::search::Report;
use crate::search::debug_stats::take_debug_stats;
use crossbeam_channel::{Receiver, never, select};
use shakmaty::{Board, CastlingMode, File, Piece, Rank, Square};
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use vampirc_uci::UciMessage;

/// State of the UCI loop.
pub(super) struct UciLoop {
    session: Session,
    output: Output,
    evaluator: Evaluator,
    /// True if every pass of a driver is printed (`debug on`).
    debug: bool,
    /// True if the command comes from the command line: nothing can stop it, and an error fails the program.
    from_command_line: bool,
    failed: bool,
    /// Notation of castling of the work under way.
    castling: CastlingMode,
    /// Material at the root of the search under way, if its scores are printed with WDL.
    wdl_material: Option<u32>,
    filter: InfoFilter,
    /// Commands that wait for the work under way.
    queue: Queue,
    /// True if the work under way was told to stop.
    stopping: bool,
}

impl UciLoop {
    /// A loop over standard input.
    pub(super) fn new(session: Session, output: Output) -> UciLoop {
        UciLoop {
            session,
            output,
            evaluator: Evaluator::new(),
            debug: false,
            from_command_line: false,
            failed: false,
            castling: CastlingMode::Standard,
            wdl_material: None,
            filter: InfoFilter::default(),
            queue: Queue::default(),
            stopping: false,
        }
    }

    /// A loop over one command of the command line.
    pub(super) fn for_command_line(session: Session, output: Output) -> UciLoop {
        UciLoop { from_command_line: true, ..UciLoop::new(session, output) }
    }

    /// Runs until `quit`, until the input has ended and the work is done, or until nobody reads the output.
    pub(super) fn run(mut self, lines: &Receiver<InputLine>) -> ExitCode {
        let events = self.session.events().clone();
        let closed = never();
        let mut open = true;
        loop {
            let lines = if open { lines } else { &closed };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) if self.take_line(&line).is_break() => break,
                    Ok(_) => {}
                    Err(_) => open = false,
                },
                recv(events) -> sent => match sent {
                    Ok(sent) => self.take_event(sent),
                    Err(_) => break,
                },
            }
            self.execute_waiting();
            if !open && self.session.is_endless() {
                // Neither `stop` nor `ponderhit` can come.
                self.stop();
            }
            if (!open && !self.session.is_busy() && self.queue.is_empty()) || self.output.error().is_some() {
                break;
            }
        }
        self.finish();
        match self.output.error() {
            Some(error) => {
                // A pipe that its reader has closed needs no message.
                if error.kind() != ErrorKind::BrokenPipe {
                    let _ = writeln!(std::io::stderr(), "plumb: cannot write to standard output: {error}");
                }
                ExitCode::FAILURE
            }
            None if self.failed => ExitCode::from(2),
            None => ExitCode::SUCCESS,
        }
    }

    /// Stops the work under way, if any.
    fn stop(&mut self) {
        self.stopping = true;
        self.session.stop();
    }

    /// Stops the work under way and prints its last events.
    fn finish(&mut self) {
        self.stop();
        while let Some(event) = self.session.next_event() {
            self.print_event(&event);
        }
    }

    /// Prints an event. If it is the last one of work that ended by itself, the clocks of waiting commands
    /// begin.
    fn take_event(&mut self, sent: SentEvent) {
        let event = self.session.open(sent);
        self.print_event(&event);
        if event.is_last() && !self.stopping {
            self.queue.restart_clocks(Instant::now());
        }
    }

    /// Takes a line of input: a command that never waits is executed, any other goes to the queue. `Break` is
    /// `quit`.
    fn take_line(&mut self, line: &InputLine) -> ControlFlow<()> {
        let Some(text) = &line.text else {
            self.complain(&format!("a line of more than {MOST_LINE} bytes is ignored"));
            return ControlFlow::Continue(());
        };
        log::debug!(">> {text}");
        match parse(text) {
            Ok(Some(Command::Simple(UciMessage::Quit))) => return ControlFlow::Break(()),
            Ok(Some(command)) if never_waits(&command) => self.execute(command, line.at),
            Ok(Some(command)) => {
                if let Err(full) = self.queue.push(command, line) {
                    self.complain(&format!("{full}; '{}' is ignored", shortened(text)));
                }
            }
            Ok(None) => {}
            Err(complaint) => self.complain(&complaint),
        }
        ControlFlow::Continue(())
    }

    /// Executes the commands of the queue up to the first one that has to wait. Work is stopped at once if a
    /// `stop` came behind it, and a search that does not end by itself if the next command needs the session.
    fn execute_waiting(&mut self) {
        while let Some(waiting) = self.queue.next(self.session.is_busy()) {
            let Waiting { command, at, stopped, hit, .. } = waiting;
            self.execute(command, at);
            if let Some(hit) = hit {
                self.session.ponderhit(hit);
            }
            if stopped && self.session.is_busy() {
                self.stop();
            }
        }
        if self.session.is_endless() && self.queue.ends_endless_search() {
            self.stop();
        }
    }

    /// Reports an error in one line.
    fn complain(&mut self, complaint: &str) {
        if self.from_command_line {
            self.failed = true;
            let _ = writeln!(std::io::stderr(), "plumb: {}", legible::line(complaint));
        } else {
            self.output.info_string(complaint);
        }
    }

    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Simple(message) => self.execute_simple(&message, at),
            Command::Register => {}
            Command::Position(place) => match read_position(&place) {
                Ok(game) => self.session.set_game(game),
                Err(error) => self.complain(&format!("position: {error}; the old one stays")),
            },
            Command::InPosition(place, command) => self.execute_at(&place, *command, at),
            Command::SetOption { name, value } => match self.session.set_option(&name, value.as_deref()) {
                Ok(notes) => notes.iter().for_each(|note| self.output.info_string(note)),
                Err(error) => self.complain(&error.to_string()),
            },
            Command::Go(command) => self.go(&command, at),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth, threads) => {
                self.stopping = false;
                self.session.bench(depth.unwrap_or(bench::DEPTH), threads.unwrap_or(1));
            }
            Command::Print(what) => self.print(what),
            Command::Help(name) => self.help(name.as_deref()),
            Command::Flip => self.flip(),
        }
    }

    /// Executes a command for a position of its own.
    fn execute_at(&mut self, place: &PositionSpec, command: Command, at: Instant) {
        match read_position(place) {
            Ok(game) => {
                let own = self.session.game().clone();
                self.session.set_game(game);
                self.execute(command, at);
                self.session.set_game(own);
            }
            Err(error) => self.complain(&error),
        }
    }

    fn execute_simple(&mut self, message: &UciMessage, at: Instant) {
        match message {
            UciMessage::Uci => self.identify(),
            UciMessage::Debug(on) => self.debug = *on,
            UciMessage::IsReady => self.output.message(&UciMessage::ReadyOk),
            UciMessage::UciNewGame => {
                self.session.new_game();
                self.session.set_game(Game::new());
            }
            UciMessage::Stop => {
                self.queue.stop();
                self.stop();
            }
            UciMessage::PonderHit => {
                self.queue.ponderhit(at);
                self.session.ponderhit(at);
            }
            _ => {}
        }
    }

    /// Answers `uci`: name, author, options.
    fn identify(&mut self) {
        self.output.message(&UciMessage::id_name(VERSION));
        self.output.message(&UciMessage::id_author("the Plumb developers"));
        for declaration in Declaration::all() {
            self.output.message(&output::option(declaration));
        }
        self.output.message(&UciMessage::UciOk);
    }

    /// Exchanges the colours; on the command line, where no other command follows, the board is shown.
    fn flip(&mut self) {
        match self.session.game().flipped() {
            Ok(game) => self.session.set_game(game),
            Err(error) => return self.complain(&error.to_string()),
        }
        if self.from_command_line {
            self.print_board();
        }
    }

    /// Starts a search; none is under way.
    fn go(&mut self, command: &GoCommand, at: Instant) {
        self.stopping = false;
        let (mut go, complaints) = command.to_search(self.session.game(), at);
        if !complaints.is_empty() {
            self.complain(&format!("go: {}", complaints.join("; ")));
        }
        if self.from_command_line {
            if self.failed {
                return;
            }
            // Neither `stop` nor `ponderhit` can come; what is searched stays the same.
            go.analysis = go.infinite;
            go.infinite = false;
            go.ponder = false;
        }
        go.passes = self.debug;
        let backend = self.session.options().backend(go.is_analysis());
        (self.castling, self.filter) = (self.castling_mode(), InfoFilter::default());
        let with_wdl = self.session.options().show_wdl;
        let game = self.session.game();
        self.wdl_material = with_wdl.then(|| wdl_model::material(game.position().board()));
        let without_moves = self.session.go(go);
        if let Some(value) = without_moves {
            self.output.message(&output::info_without_moves(value, with_wdl));
        }
        let options = self.session.options();
        if options.threads > 1 && !options.settings.backend.is_driver() {
            self.output.info_string(&format!("{} searches with one thread", options.settings.backend));
        }
        if let Some(note) = options.unread() {
            self.output.info_string(&note);
        }
        if without_moves.is_none() && backend != options.settings.backend {
            self.output.info_string(&format!("this analysis is by {backend}: AnalysisBackend"));
        }
    }

    fn perft(&mut self, depth: u32) {
        self.stopping = false;
        self.castling = self.castling_mode();
        self.session.perft(depth);
    }

    /// Notation of castling: Chess960's if the option or the game demands it.
    fn castling_mode(&self) -> CastlingMode {
        if self.session.options().chess960 { CastlingMode::Chess960 } else { self.session.game().castling() }
    }

    fn print(&mut self, what: Printable) {
        match what {
            Printable::Board => self.print_board(),
            Printable::Evaluation => self.print_evaluation(),
            Printable::Options => self.output.line(Options::manual().trim_end()),
            Printable::Compiler => self.output.line(compiler()),
            Printable::Version => self.output.line(VERSION),
        }
    }

    fn help(&mut self, name: Option<&str>) {
        match name.map_or_else(|| Some(manual::help()), manual::help_of) {
            Some(text) => self.output.line(text),
            None => {
                let name = shortened(name.unwrap_or_default());
                self.complain(&format!("help: there is no command '{name}' (try help)"));
            }
        }
    }

    fn print_evaluation(&mut self) {
        let position = self.session.game().position();
        self.evaluator.set(self.session.options().settings.network(), None);
        let value = self.evaluator.evaluate(position, 0);
        let (centipawns, shown) = (value * 100 / UNITS_PER_PAWN, wdl_model::normalized(value));
        let explanation = self.evaluator.explain(position);
        let side = position.turn();
        self.output.line(explanation.trim_end());
        self.output.line(format!(
            "evaluation: {centipawns} centipawns for {side}, who is to move (as \
        evaluated; a search shows {shown})"
        ));
    }

    fn print_board(&mut self) {
        let game = self.session.game();
        let position = game.position();
        let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
        let fen = format!("Fen: {}", game.fen());
        let key = format!("Key: {:016x}", position.key());
        let checkers = format!("Checkers: {}", checkers.join(" "));
        for line in
            board_with_coordinates(position.board()).lines().chain(["", &fen, &key, checkers.trim_end()])
        {
            self.output.line(line);
        }
    }

    fn print_event(&mut self, event: &Event) {
        match event {
            Event::Report(report, time) => self.print_report(report, *time),
            Event::Pass(pass) => self.output.info_string(&output::pass(pass, self.castling)),
            Event::Current(current) => self.output.line(output::current(*current, self.castling)),
            Event::Book(found) => self.print_book_move(found),
            Event::Answer(answer) => self.print_answer(answer),
            Event::PerftMove(m, nodes) => {
                self.output.line(format!("{}: {nodes}", m.to_uci(self.castling)));
            }
            Event::PerftDone(Some(nodes)) => self.output.line(format!("\nNodes searched: {nodes}\n")),
            Event::PerftDone(None) => self.output.info_string("perft was stopped"),
            Event::Benched(index, nodes, time) => {
                // Progress goes to standard error; standard output has the result alone.
                let (number, all) = (index + 1, bench::POSITIONS.len());
                let _ = writeln!(
                    std::io::stderr(),
                    "position {number} of {all}: {nodes} moves made in {} ms",
                    time.as_millis()
                );
            }
            Event::Bench(Ok(Some(total))) => {
                self.output.line(format!("{} nodes {} nps", total.nodes, total.nodes_per_second()));
                let _ = write!(std::io::stderr(), "{}", take_debug_stats());
            }
            Event::Bench(Ok(None)) => self.complain("the bench was stopped"),
            Event::Bench(Err(error)) => self.complain(&error.to_string()),
        }
    }

    fn print_report(&mut self, report: &Report, time: Duration) {
        if self.filter.admits(report, time) {
            self.print_info(report, time);
        }
    }

    fn print_info(&mut self, report: &Report, time: Duration) {
        self.filter.note(report, time);
        self.output.message(&output::info(report, time, self.castling, self.wdl_material));
    }

    /// Prints weight and share of a book move. It has no info line, since nothing was searched.
    fn print_book_move(&mut self, found: &BookMove) {
        self.filter.first = Some(found.m);
        let m = found.m.to_uci(self.castling);
        let file = self.session.options().book_file.as_ref();
        let name = file.map_or("own book".to_owned(), |path| format!("book {}", path.display()));
        let (weight, total) = (found.weight, found.total);
        self.output.info_string(&format!(
            "{name}: {m} has {weight} of the position's weight of {total} ({:.0} %)",
            found.percent()
        ));
    }

    /// Prints `bestmove`; before it, an info line with its move, and with the nodes and the time of the whole
    /// search, unless such a line was the last one.
    fn print_answer(&mut self, answer: &Answer) {
        if let Some(fault) = &answer.fault {
            self.output.info_string(&format!("the search failed ({fault}); a legal move is played"));
        }
        for error in self.session.take_tablebase_errors() {
            self.output.info_string(&error);
        }
        let outcome = &answer.outcome;
        if let Some(report) = self.final_report(answer) {
            self.print_info(&report, answer.time);
        }
        self.output.line(output::best_move(outcome, self.castling));
    }
}

impl UciLoop {
    /// The report to be shown before `bestmove`; `None` if the last one shown has its move, its ponder move
    /// and all nodes, and for a book move, for which nothing was searched.
    fn final_report(&mut self, answer: &Answer) -> Option<Report> {
        let (best, nodes) = (answer.outcome.best?, answer.outcome.stats.made_moves);
        let ponder = answer.outcome.ponder;
        let begins_with_it = |report: &Report| {
            report.pv.first() == Some(&best) && ponder.is_none_or(|m| report.pv.get(1) == Some(&m))
        };
        let filter = &mut self.filter;
        let report = if filter.first == Some(best) && filter.shown.as_ref().is_none_or(begins_with_it) {
            filter.shown.take().filter(|shown| shown.nodes < nodes)?
        } else {
            let withheld = filter.withheld.take().map(|(report, _)| report).filter(begins_with_it);
            withheld.unwrap_or_else(|| last_report(answer))
        };
        Some(Report { nodes: nodes.max(report.nodes), hashfull: filter.hashfull, ..report })
    }
}

/// The game that leads to a position; the error names what is wrong.
fn read_position(place: &PositionSpec) -> Result<Game, String> {
    let mut game = match &place.fen {
        Some(fen) => Game::parse_fen(fen).map_err(|error| error.to_string())?,
        None => Game::new(),
    };
    for (index, text) in place.moves.iter().enumerate() {
        game.play_text(&shortened(text)).map_err(|error| format!("{error} (move {})", index + 1))?;
    }
    Ok(game)
}

/// The board with White below, as clients of Stockfish read it: a frame, ranks on the right, files below.
fn board_with_coordinates(board: &Board) -> String {
    const FRAME: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = FRAME.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = board.piece_at(Square::from_coords(file, rank));
            text.extend([' ', '|', ' ', piece.map_or(' ', Piece::char)]);
        }
        text.push_str(" | ");
        text.push(rank.char());
        text.push('\n');
        text.push_str(FRAME);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n");
    text
}

/// Report of an answer for whose move no info line was shown.
fn last_report(answer: &Answer) -> Report {
    let outcome = &answer.outcome;
    let agrees = outcome.pv.first() == outcome.best.as_ref();
    Report {
        depth: outcome.depth.max(1),
        selective_depth: outcome.stats.selective_depth.max(outcome.pv.len()).max(1),
        line: 1,
        value: outcome.value,
        bound: outcome.bound,
        finished: false,
        nodes: outcome.stats.made_moves,
        hashfull: 0,
        tb_hits: None,
        pv: if agrees { outcome.pv.clone() } else { outcome.best.into_iter().collect() },
    }
}

/// Name and version, and the commit where the program was built in a repository.
pub(super) const VERSION: &str = concat!("Plumb ", env!("PLUMB_VERSION"));

/// Compiler, platform and CPU features of the build, in one line.
fn compiler() -> String {
    let build = if cfg!(debug_assertions) { "development" } else { "release" };
    let features: Vec<&str> = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ]
    .into_iter()
    .filter_map(|(name, has)| has.then_some(name))
    .collect();
    let features = if features.is_empty() { "no particular features".to_owned() } else { features.join(" ") };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{VERSION}, {}, {arch} {os}, {features}, {build} build", env!("PLUMB_RUSTC"))
}
