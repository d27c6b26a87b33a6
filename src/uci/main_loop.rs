//! The conversation: what is done about every command and every event.

use super::command::{Command, Printable, parse, shortened};
use super::go::GoWords;
use super::input::Line;
use super::manual;
use super::output::{self, Output};
use super::shown::Shown;
use crate::chess::book::BookMove;
use crate::chess::game::Game;
use crate::chess::score::UNITS_PER_PAWN;
use crate::engine::event::{Answer, Event};
use crate::engine::options::{Declaration, MOST_THREADS, Options};
use crate::engine::{Session, bench, perft, wdl_model};
use crate::eval::Evaluator;
use crate::search::{Bound, Limits, Report};
use crossbeam_channel::{Receiver, never, select};
use shakmaty::CastlingMode;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use vampirc_uci::UciMessage;

/// One end of the conversation.
pub(super) struct Front {
    session: Session,
    output: Output,
    evaluator: Evaluator,
    /// Whether every pass of a driver is told.
    debug: bool,
    /// Whether the command came from the command line: nobody can stop it, and complaints fail the program.
    arguments: bool,
    failed: bool,
    shown: Shown,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn,
    Quit,
}

impl Front {
    /// A conversation with a program.
    pub(super) fn new(session: Session, output: Output) -> Front {
        let shown = Shown::of(CastlingMode::Standard);
        let evaluator = Evaluator::new();
        Front { session, output, evaluator, debug: false, arguments: false, failed: false, shown }
    }

    /// A conversation of one command, from the command line.
    pub(super) fn for_arguments(session: Session, output: Output) -> Front {
        Front { arguments: true, ..Front::new(session, output) }
    }

    /// Listens and answers until there is no more to do.
    pub(super) fn converse(mut self, lines: &Receiver<Line>) -> ExitCode {
        let events = self.session.events().clone();
        let silence = never();
        let mut listening = true;
        loop {
            let lines = if listening { lines } else { &silence };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) if self.hear(&line) == Then::Quit => break,
                    Ok(_) => {}
                    Err(_) => {
                        listening = false;
                        self.hang_up();
                    }
                },
                recv(events) -> event => match event {
                    Ok(event) => self.take(&event),
                    Err(_) => break,
                },
            }
            if (!listening && !self.session.is_busy()) || self.output.is_broken() {
                break;
            }
        }
        self.finish();
        if self.failed { ExitCode::from(2) } else { ExitCode::SUCCESS }
    }

    /// The input has ended: nobody will stop what does not end by itself.
    fn hang_up(&mut self) {
        if self.session.is_endless() && !self.arguments {
            self.session.stop();
        }
    }

    /// Stops what is under way and tells how it ended.
    fn finish(&mut self) {
        self.session.stop();
        while let Some(event) = self.session.next_event() {
            self.tell(&event);
        }
    }

    fn hear(&mut self, line: &Line) -> Then {
        log::debug!(">> {}", line.text);
        match parse(&line.text) {
            Ok(Some(command)) => return self.obey(command, line.at),
            Ok(None) => {}
            Err(complaint) => self.complain(&complaint),
        }
        Then::GoOn
    }

    /// One line that names what is wrong.
    fn complain(&mut self, complaint: &str) {
        if self.arguments {
            self.failed = true;
            let _ = writeln!(std::io::stderr(), "plumb: {complaint}");
        } else {
            self.output.info_string(complaint);
        }
    }

    fn obey(&mut self, command: Command, at: Instant) -> Then {
        match command {
            Command::Simple(UciMessage::Quit) => return Then::Quit,
            Command::Simple(message) => self.obey_simple(&message, at),
            Command::Register => {}
            Command::Position { fen, moves } => self.position(fen.as_deref(), &moves),
            Command::SetOption { name, value } => match self.session.set_option(&name, value.as_deref()) {
                Ok(notes) => notes.iter().for_each(|note| self.output.info_string(note)),
                Err(error) => self.complain(&error.to_string()),
            },
            Command::Go(words) => match words.perft {
                Some(depth) => self.perft(u32::try_from(depth).unwrap_or(u32::MAX)),
                None => self.go(&words, at),
            },
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth, threads) => {
                self.finish();
                let depth = depth.unwrap_or(bench::DEPTH).clamp(1, Limits::default().depth);
                self.session.bench(depth, threads.unwrap_or(1).clamp(1, MOST_THREADS));
            }
            Command::Print(what) => self.print(what),
            Command::Flip => match self.session.game().flipped() {
                Ok(game) => self.session.set_game(game),
                Err(error) => self.complain(&error.to_string()),
            },
        }
        Then::GoOn
    }

    fn obey_simple(&mut self, message: &UciMessage, at: Instant) {
        match message {
            UciMessage::Uci => self.introduce(),
            UciMessage::Debug(on) => self.debug = *on,
            UciMessage::IsReady => self.output.message(&UciMessage::ReadyOk),
            UciMessage::UciNewGame => {
                self.session.new_game();
                self.session.set_game(Game::new());
            }
            UciMessage::Stop => self.session.stop(),
            UciMessage::PonderHit => self.session.ponderhit(at),
            _ => {}
        }
    }

    fn introduce(&mut self) {
        self.output.message(&UciMessage::id_name(concat!("Plumb ", env!("CARGO_PKG_VERSION"))));
        self.output.message(&UciMessage::id_author("the Plumb developers"));
        for declaration in Declaration::all() {
            self.output.message(&output::option(declaration));
        }
        self.output.message(&UciMessage::UciOk);
    }

    /// Sets up a position; on the first thing that is wrong the old one stays.
    fn position(&mut self, fen: Option<&str>, moves: &[String]) {
        let mut game = match fen.map_or_else(|| Ok(Game::new()), Game::parse_fen) {
            Ok(game) => game,
            Err(error) => return self.complain(&format!("position: {error}; the old one stays")),
        };
        for (index, text) in moves.iter().enumerate() {
            if let Err(error) = game.play_text(&shortened(text)) {
                let number = index + 1;
                return self.complain(&format!("position: {error} (move {number}); the old one stays"));
            }
        }
        self.session.set_game(game);
    }

    /// Begins a search. One that runs is stopped first and has its answer told.
    fn go(&mut self, words: &GoWords, at: Instant) {
        self.finish();
        let (mut go, complaints) = words.search(self.session.game(), at);
        if !complaints.is_empty() {
            self.complain(&format!("go: {}", complaints.join("; ")));
        }
        if self.arguments {
            // There is nobody to wait for.
            go.infinite = false;
            go.ponder = false;
        }
        go.passes = self.debug;
        self.shown = Shown::of(self.castling());
        let game = self.session.game();
        let with_odds = self.session.options().show_wdl;
        self.shown.odds_at = with_odds.then(|| wdl_model::material(game.position().board()));
        if let Some(value) = self.session.go(go) {
            self.output.message(&output::info_without_moves(value, with_odds));
        }
        let options = self.session.options();
        if options.threads > 1 && !options.settings.backend.is_driver() {
            self.output.info_string(&format!("{} searches with one thread", options.settings.backend));
        }
        if let Some(note) = options.unread() {
            self.output.info_string(&note);
        }
    }

    fn perft(&mut self, depth: u32) {
        self.finish();
        if depth > perft::MOST_PLIES {
            return self.complain(&format!("perft: {depth} is more than {} plies", perft::MOST_PLIES));
        }
        self.shown = Shown::of(self.castling());
        self.session.perft(depth);
    }

    /// How castling is written: as the search's root demands, or the game.
    fn castling(&self) -> CastlingMode {
        if self.session.options().chess960 { CastlingMode::Chess960 } else { self.session.game().castling() }
    }

    fn print(&mut self, what: Printable) {
        match what {
            Printable::Board => self.print_board(),
            Printable::Evaluation => self.print_evaluation(),
            Printable::Options => self.output.line(Options::manual().trim_end()),
            Printable::Compiler => self.output.line(compiler()),
            Printable::Help => self.output.line(manual::help()),
            Printable::Version => self.output.line(VERSION),
        }
    }

    fn print_evaluation(&mut self) {
        let position = self.session.game().position();
        let value = self.evaluator.evaluate(position);
        let (centipawns, shown) = (value * 100 / UNITS_PER_PAWN, wdl_model::shown(value));
        let explanation = self.evaluator.explain(position).to_string();
        let side = position.turn();
        self.output.line(explanation.trim_end());
        self.output.line(format!("evaluation: {centipawns} centipawns for {side}, who is to move (as evaluated; a search shows {shown})"));
    }

    fn print_board(&mut self) {
        let game = self.session.game();
        let position = game.position();
        let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
        let board = format!("{:?}", position.board());
        let fen = format!("FEN: {}", game.fen());
        let key = format!("Key: {:016x}", position.key());
        let checkers = format!("Checkers: {}", checkers.join(" "));
        for line in board.lines().chain(["", &fen, &key, checkers.trim_end()]) {
            self.output.line(line);
        }
    }

    /// An event has come.
    fn take(&mut self, event: &Event) {
        self.session.note(event);
        self.tell(event);
    }

    fn tell(&mut self, event: &Event) {
        match event {
            Event::Report(report, time) => self.tell_report(report, *time),
            Event::Pass(pass) => self.output.info_string(&output::pass(pass, self.shown.castling)),
            Event::Current(current) => self.output.line(output::current(*current, self.shown.castling)),
            Event::Book(found) => self.tell_book(found),
            Event::Answer(answer) => self.tell_answer(answer),
            Event::Branch(m, nodes) => {
                self.output.line(format!("{}: {nodes}", m.to_uci(self.shown.castling)));
            }
            Event::Counted(Some(nodes)) => self.output.line(format!("\nNodes searched: {nodes}")),
            Event::Counted(None) => self.output.info_string("perft was stopped"),
            Event::Benched(index, nodes, time) => {
                // People watch this; standard output is for the result alone.
                let (number, all) = (index + 1, bench::POSITIONS.len());
                let _ = writeln!(
                    std::io::stderr(),
                    "position {number} of {all}: {nodes} moves made in {} ms",
                    time.as_millis()
                );
            }
            Event::Bench(Ok(Some(total))) => {
                self.output.line(format!("{} nodes {} nps", total.nodes, total.nodes_per_second()));
            }
            Event::Bench(Ok(None)) => self.complain("the bench was stopped"),
            Event::Bench(Err(error)) => self.complain(&error.to_string()),
        }
    }

    fn tell_report(&mut self, report: &Report, time: Duration) {
        if self.shown.admits(report, time) {
            self.show(report, time);
        }
    }

    fn show(&mut self, report: &Report, time: Duration) {
        self.shown.note(report, time);
        self.output.message(&output::info(report, time, self.shown.castling, self.shown.odds_at));
    }

    /// A move of the book is coming: no line of play belongs to it, for nothing was searched.
    fn tell_book(&mut self, found: &BookMove) {
        self.shown.first = Some(found.m);
        let m = found.m.to_uci(self.shown.castling);
        let file = self.session.options().book_file.as_ref();
        let name = file.map_or("own book".to_owned(), |path| format!("book {}", path.display()));
        let (weight, total) = (found.weight, found.total);
        self.output.info_string(&format!(
            "{name}: {m} has {weight} of the position's weight of {total} ({:.0} %)",
            found.percent()
        ));
    }

    /// The answer; before it, a line that begins with its move unless the last one did.
    fn tell_answer(&mut self, answer: &Answer) {
        if let Some(trouble) = &answer.trouble {
            self.output.info_string(&format!("the search failed ({trouble}); a legal move is played"));
        }
        for trouble in self.session.take_table_troubles() {
            self.output.info_string(&trouble);
        }
        let outcome = &answer.outcome;
        if outcome.best.is_some() && outcome.best != self.shown.first {
            let begins_so = |(report, _): &(Report, Duration)| report.pv.first() == outcome.best.as_ref();
            let (report, time) = self
                .shown
                .withheld
                .take()
                .filter(begins_so)
                .unwrap_or_else(|| (last_report(answer, self.shown.hashfull), answer.time));
            self.show(&report, time);
        }
        self.output.line(output::best_move(outcome, self.shown.castling));
    }
}

/// What an answer says by itself, where no line was shown for its move.
fn last_report(answer: &Answer, hashfull: u32) -> Report {
    let outcome = &answer.outcome;
    let agrees = outcome.pv.first() == outcome.best.as_ref();
    Report {
        depth: outcome.depth.max(1),
        selective_depth: outcome.stats.selective_depth.max(1),
        line: 1,
        value: outcome.value,
        bound: Bound::Exact,
        finished: false,
        nodes: outcome.stats.made_moves,
        hashfull,
        tb_hits: None,
        pv: if agrees { outcome.pv.clone() } else { outcome.best.into_iter().collect() },
    }
}

/// Name and version.
pub(super) const VERSION: &str = concat!("Plumb ", env!("CARGO_PKG_VERSION"));

/// What the engine was built by and for, in one line.
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
    format!(
        "{VERSION}, Rust {} or later, {arch} {os}, {features}, {build} build",
        env!("CARGO_PKG_RUST_VERSION")
    )
}
