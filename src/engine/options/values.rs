//! The values of all options.

use crate::chess::book::Choice;
use crate::chess::score::Value;
use crate::choice;
use crate::engine::strength::{ELO, Level};
use crate::eval::network;
use crate::search::{Backend, Driver, DriverSettings, Mode, Settings};
use std::path::PathBuf;
use std::time::Duration;

choice! {
    /// Backend of an analysis.
    AnalysisBackend {
        /// Aspiration NegaScout in place of MTD(f) in play mode, else the backend of games. People read the
        /// scores of an analysis; NegaScout's are exact, and MTD(f) on a grid fine enough for that is weaker
        /// (docs/settings.md).
        #[default]
        Auto = "auto",
        /// The backend of games.
        Same = "same",
    }
}

/// Values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Settings of the search.
    pub settings: Settings,
    /// Time kept back on every move for delays outside the engine.
    pub move_overhead: Duration,
    /// True if the engine may ponder; time management then spends more.
    pub ponder: bool,
    /// True if castling is always printed as the king taking its rook.
    pub chess960: bool,
    /// True in analysis: nothing is answered early.
    pub analyse: bool,
    /// Backend of an analysis; see [`Options::backend`].
    pub analysis_backend: AnalysisBackend,
    /// Largest grid of an analysis, in units; see [`Options::grid`].
    pub analysis_grid: Value,
    /// True if WDL is printed with every score.
    pub show_wdl: bool,
    /// True if games are played below full strength, at `elo`.
    pub limit_strength: bool,
    /// Strength with `limit_strength`, in Elo of [`crate::engine::strength`].
    pub elo: i64,
    /// Named level; unless it is [`Level::Free`] it overrides `limit_strength` and `elo`.
    pub level: Level,
    /// True if moves of limited strength on a clock take as long as those of people.
    pub human_time: bool,
    /// True if moves of the opening book are played.
    pub own_book: bool,
    /// The opening book; `None` is the one inside the program.
    pub book_file: Option<PathBuf>,
    /// Choice among the moves of the opening book.
    pub book_mode: Choice,
    /// Folders with Syzygy tablebases, as [`crate::chess::syzygy::Tablebases::open`] takes them; empty is
    /// none.
    pub syzygy_path: String,
    /// Log file; `None` is standard error.
    pub log_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            settings: Settings { loaded_network: network::embedded(), ..Settings::default() },
            move_overhead: Duration::from_millis(10),
            ponder: false,
            chess960: false,
            analyse: false,
            analysis_backend: AnalysisBackend::default(),
            analysis_grid: 2,
            show_wdl: false,
            limit_strength: false,
            elo: *ELO.end(),
            level: Level::default(),
            human_time: true,
            own_book: false,
            book_file: None,
            book_mode: Choice::default(),
            syzygy_path: String::new(),
            log_file: None,
        }
    }
}

impl Options {
    /// Elo of limited strength; `None` is full strength.
    #[must_use]
    pub fn limited_elo(&self) -> Option<i64> {
        self.level.elo().or_else(|| self.limit_strength.then_some(self.elo))
    }

    /// True if people read the scores of a search: `UCI_AnalyseMode`, more than one line, or a search for
    /// `analysis` ([`Go::is_analysis`](crate::engine::session::Go::is_analysis)).
    pub(in crate::engine) fn is_analysis(&self, analysis: bool) -> bool {
        self.analyse || analysis || self.settings.multi_pv > 1
    }

    /// Grid of a search, in units: in an analysis no coarser than [`Options::analysis_grid`].
    #[must_use]
    pub fn grid(&self, analysis: bool) -> Value {
        let DriverSettings { grid, .. } = self.settings.drivers;
        if self.is_analysis(analysis) { grid.min(self.analysis_grid) } else { grid }
    }

    /// Backend of a search: in an analysis that of [`Options::analysis_backend`].
    #[must_use]
    pub fn backend(&self, analysis: bool) -> Backend {
        let Settings { backend, mode, .. } = self.settings;
        let is_replaced = self.analysis_backend == AnalysisBackend::Auto
            && backend == Backend::Driver(Driver::MtdF)
            && mode == Mode::Play;
        if is_replaced && self.is_analysis(analysis) { Backend::Driver(Driver::NegaScout) } else { backend }
    }

    /// Names the options that are set although the backend does not read them: backends with trees of their
    /// own know neither MultiPV, nor modes, nor tablebases. (`Threads` is left to the UCI loop.)
    #[must_use]
    pub fn unread(&self) -> Option<String> {
        let Settings { backend, mode, multi_pv, .. } = self.settings;
        let set = [
            ("MultiPV", multi_pv != 1),
            ("Mode", mode != Mode::default()),
            ("SyzygyPath", !self.syzygy_path.is_empty()),
        ];
        let names: Vec<&str> = set.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect();
        let unread = !backend.is_driver() && !names.is_empty();
        unread.then(|| format!("{backend} does not read {}", names.join(", ")))
    }
}
