//! The backends by name: which algorithm asks the questions. Adding a driver is a variant, a row and, in
//! `search::deepening`, an arm of a few lines; the algorithms that search trees of their own are run by
//! `textbook`.

use std::fmt;
use std::str::FromStr;

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// MTD(f): null windows that walk from a first guess (TR figure 8, IJCAI figure 3).
    #[default]
    MtdF,
    /// MTD-best: proves which root move is best, not what it is worth (TR section 3.3).
    MtdBest,
    /// MTD-bi: bisection, Coplan's C* (TR section 3.3).
    MtdBi,
    /// MTD-step: from above in strides (TR section 3.3).
    MtdStep,
    /// SSS* as MTD(+inf) (TR figure 2).
    SssStar,
    /// DUAL* as MTD(-inf).
    DualStar,
    /// Aspiration NegaScout: the papers' baseline, 100 %.
    NegaScout,
    /// NegaScout from an open window.
    PlainNegaScout,
    /// Alpha-Beta from an open window, with no null windows at all.
    AlphaBeta,
    /// Informed NegaScout (INFO appendix), on chess as a textbook game like all that follow.
    Ins,
    /// Partially Informed NegaScout (INFO section 3).
    Pns,
    /// Best-first minimax (BFM).
    BestFirst,
    /// Best-first minimax in linear space (BFM figure 2).
    RecursiveBestFirst,
    /// Alpha-Beta, then best-first minimax from its tree (BFM).
    BestFirstExtension,
}

impl Backend {
    /// The drivers of the one node routine, in the order in which tables show them.
    pub const DRIVERS: [Backend; 9] = [
        Backend::MtdF,
        Backend::MtdBest,
        Backend::MtdBi,
        Backend::MtdStep,
        Backend::SssStar,
        Backend::DualStar,
        Backend::NegaScout,
        Backend::PlainNegaScout,
        Backend::AlphaBeta,
    ];

    /// Every backend: the drivers, then the algorithms that search trees of their own.
    pub const ALL: [Backend; 14] = [
        Backend::MtdF,
        Backend::MtdBest,
        Backend::MtdBi,
        Backend::MtdStep,
        Backend::SssStar,
        Backend::DualStar,
        Backend::NegaScout,
        Backend::PlainNegaScout,
        Backend::AlphaBeta,
        Backend::Ins,
        Backend::Pns,
        Backend::BestFirst,
        Backend::RecursiveBestFirst,
        Backend::BestFirstExtension,
    ];

    /// The name in options and tables, and the form that a shell does not mangle.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Backend::MtdF => ("MTD(f)", "mtdf"),
            Backend::MtdBest => ("MTD-best", "mtd-best"),
            Backend::MtdBi => ("MTD-bi", "mtd-bi"),
            Backend::MtdStep => ("MTD-step", "mtd-step"),
            Backend::SssStar => ("SSS*", "sss"),
            Backend::DualStar => ("DUAL*", "dual"),
            Backend::NegaScout => ("NegaScout", "negascout"),
            Backend::PlainNegaScout => ("PlainNegaScout", "plain-negascout"),
            Backend::AlphaBeta => ("AlphaBeta", "alphabeta"),
            Backend::Ins => ("INS", "ins"),
            Backend::Pns => ("PNS", "pns"),
            Backend::BestFirst => ("BestFirst", "best-first"),
            Backend::RecursiveBestFirst => ("RecursiveBestFirst", "recursive-best-first"),
            Backend::BestFirstExtension => ("BestFirstExtension", "best-first-extension"),
        }
    }

    /// The name as options show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The name for command lines and file names.
    #[must_use]
    pub const fn alias(self) -> &'static str {
        self.names().1
    }

    /// Whether it drives the node routine, so that modes, table and counts mean something to it.
    #[must_use]
    pub fn is_driver(self) -> bool {
        Backend::DRIVERS.contains(&self)
    }

    /// Whether its result is the full-width minimax value of the node routine's tree (MTD-best returns a move
    /// and a bound; the others search trees of their own).
    #[must_use]
    pub fn gives_value(self) -> bool {
        self.is_driver() && self != Backend::MtdBest
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Backend, String> {
        let is = |name: &str| name.eq_ignore_ascii_case(text.trim());
        Backend::ALL.into_iter().find(|backend| is(backend.name()) || is(backend.alias())).ok_or_else(|| {
            let known: Vec<_> = Backend::ALL.iter().map(|backend| backend.name()).collect();
            format!("unknown backend '{text}' (known: {})", known.join(", "))
        })
    }
}
