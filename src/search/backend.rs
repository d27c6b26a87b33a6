//! The backends by name: which algorithm asks the questions. Adding one is a variant, a row and, in
//! [`super::deepening`], an arm of a few lines.

use std::fmt;
use std::str::FromStr;

/// A search algorithm over the one node routine.
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
}

impl Backend {
    /// Every backend, in the order in which tables show them.
    pub const ALL: [Backend; 9] = [
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

    /// Whether its result is the minimax value (MTD-best returns a move and a bound).
    #[must_use]
    pub const fn gives_value(self) -> bool {
        !matches!(self, Backend::MtdBest)
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
