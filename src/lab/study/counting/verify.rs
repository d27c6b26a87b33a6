//! `plumb compare --verify`: a test that the search is sound. In strict mode every value backend must find
//! Alpha-Beta's value at every depth from every first guess and with every table size, and MTD-best's
//! move must have that value.

use super::compare::{cases, common_settings, contenders};
use super::measure::{IterationRow, measure};
use super::report::Contender;
use crate::chess::score::{EVAL_LIMIT, Value};
use crate::lab::base::formats::epd::Case;
use crate::lab::base::formats::san;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::play::referee::{Player, spread};
use crate::lab::study::counting::arguments::CompareArgs;
use crate::search::{Backend, Driver, Limits, Mode, Settings};
use std::collections::HashMap;

/// Disagreements that are shown one by one.
const SHOWN: usize = 20;

/// A backend that did not find the value.
#[derive(Clone, Debug)]
struct Disagreement {
    position: usize,
    depth: i32,
    guess: Value,
    /// Alpha-Beta's value.
    expected: Value,
    /// The backend's value, or that of MTD-best's move; `None` if it did not get so deep.
    found: Option<Value>,
    best: String,
}

/// Searches and disagreements of one backend on one position.
struct ProofResult {
    contender: usize,
    searches: u64,
    compared: u64,
    disagreements: Vec<Disagreement>,
}

/// Searches and disagreements of one backend with one table size.
#[derive(Clone, Default)]
struct ProofTotals {
    searches: u64,
    compared: u64,
    disagreements: Vec<Disagreement>,
}

/// Positions, contenders and first guesses of the proof.
struct Proof {
    cases: Vec<Case>,
    contenders: Vec<Contender>,
    truth: Settings,
    guesses: Vec<Value>,
    depth: i32,
    jobs: usize,
}

/// Runs the proof and prints it; disagreements are a failure.
pub fn run(arguments: &CompareArgs) -> Result<(), Failure> {
    let (common, hashes) = common_settings(arguments, Mode::Strict)?;
    let mut backends = Backend::list(&arguments.backends).map_err(Failure::usage)?;
    backends.retain(|&backend| backend != Backend::Driver(Driver::AlphaBeta));
    if backends.is_empty() {
        let why = "--verify compares backends with Alpha-Beta: name another one in --backends";
        return Err(Failure::usage(why));
    }
    let proof = Proof {
        cases: cases(arguments)?,
        contenders: contenders(&backends, &common, &arguments.set_for)?,
        truth: Settings { backend: Backend::Driver(Driver::AlphaBeta), ..common },
        guesses: arguments.guesses.clone(),
        depth: arguments.depth,
        jobs: arguments.jobs as usize,
    };
    let mut progress = Progress::new("proofs", hashes.len() * proof.cases.len() * proof.contenders.len(), 0);
    let (stop, mut ended, mut accounts) = (Stop::default(), Ok(()), Vec::new());
    for &hash in &hashes {
        let mut account = vec![ProofTotals::default(); proof.contenders.len()];
        if ended.is_ok() && !stop.is_set() {
            ended = proof.with_hash(hash, &mut account, &mut progress, &stop);
        }
        accounts.push((hash, account));
    }
    progress.finish();
    console::out(&proof.report(&accounts))?;
    ended?;
    let wrong = accounts.iter().flat_map(|(_, account)| account).any(|one| !one.disagreements.is_empty());
    if wrong && !interrupted() { Err(Failure::told()) } else { Ok(()) }
}

impl Proof {
    /// All positions with one table size.
    fn with_hash(
        &self,
        hash: usize,
        account: &mut [ProofTotals],
        progress: &mut Progress,
        stop: &Stop,
    ) -> Result<(), Failure> {
        let work = |player: &mut Player, position: usize, send: &dyn Fn(ProofResult)| {
            self.position(player, position, stop, send);
        };
        spread(self.cases.len(), self.jobs, hash, stop, work, |finding: ProofResult| {
            let one = &mut account[finding.contender];
            one.searches += finding.searches;
            one.compared += finding.compared;
            one.disagreements.extend(finding.disagreements);
            progress.step();
            Ok(())
        })
    }

    /// All backends from all guesses on one position; sends nothing of a backend that was stopped.
    fn position(&self, player: &mut Player, position: usize, stop: &Stop, send: &dyn Fn(ProofResult)) {
        let case = &self.cases[position];
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let Some(truth) = measure(player, case, &self.truth, &limits, stop) else { return };
        let Some(value) = truth.last().map(|row| row.value) else { return };
        let mut moves = MoveValues { truth: &self.truth, case, limits: &limits, stop, known: HashMap::new() };
        for (contender, one) in self.contenders.iter().enumerate() {
            let mut finding = ProofResult { contender, searches: 0, compared: 0, disagreements: Vec::new() };
            for offset in &self.guesses {
                let guess = value.saturating_add(*offset).clamp(-EVAL_LIMIT, EVAL_LIMIT);
                let limits = Limits { guess: Some(guess), ..limits.clone() };
                let Some(rows) = measure(player, case, &one.settings, &limits, stop) else { return };
                finding.searches += 1;
                for truth in &truth {
                    let row = rows.iter().find(|row| row.depth == truth.depth);
                    let found = moves.found(player, one.backend(), row);
                    finding.compared += 1;
                    if found != Some(truth.value) {
                        let best = row.map_or_else(String::new, |row| row.best.clone());
                        let (depth, expected) = (truth.depth, truth.value);
                        let wrong = Disagreement { position, depth, guess, expected, found, best };
                        finding.disagreements.push(wrong);
                    }
                }
            }
            // A search cut short by a stop proves nothing.
            if stop.is_set() {
                return;
            }
            send(finding);
        }
    }

    fn report(&self, accounts: &[(usize, Vec<ProofTotals>)]) -> String {
        let mut table = Table::new(2, ["backend", "table", "searches", "values compared", "disagreements"]);
        let mut shown =
            Table::new(3, ["backend", "table", "position", "guess", "depth", "move", "value", "AlphaBeta"]);
        let mut wrong = 0;
        for (hash, account) in accounts {
            for (contender, one) in self.contenders.iter().zip(account) {
                let (label, size) = (contender.label.clone(), format!("{hash} MiB"));
                let numbers = [one.searches, one.compared, one.disagreements.len() as u64].map(count);
                table.row([label.clone(), size.clone()].into_iter().chain(numbers));
                for found in one.disagreements.iter().take(SHOWN.saturating_sub(wrong)) {
                    let value = found.found.map_or("none".to_owned(), |value| value.to_string());
                    let name = self.cases[found.position].name().to_owned();
                    let (guess, depth) = (found.guess.to_string(), found.depth.to_string());
                    let best = found.best.clone();
                    let expected = found.expected.to_string();
                    shown.row([label.clone(), size.clone(), name, guess, depth, best, value, expected]);
                }
                wrong += one.disagreements.len();
            }
        }
        let verdict =
            if wrong == 0 { "no disagreement".to_owned() } else { format!("{wrong} DISAGREEMENTS") };
        let mut text = format!(
            "# Proof: {} mode, {} positions, depths 1 to {}, {} first guesses: {verdict}\n\n{table}\n",
            self.truth.mode,
            self.cases.len(),
            self.depth,
            self.guesses.len()
        );
        if !shown.is_empty() {
            text += &format!("The first of them\n\n{shown}\n");
        }
        text
    }
}

/// Alpha-Beta's values of root moves, searched on first use.
struct MoveValues<'a> {
    truth: &'a Settings,
    case: &'a Case,
    limits: &'a Limits,
    stop: &'a Stop,
    known: HashMap<String, Vec<IterationRow>>,
}

impl MoveValues<'_> {
    /// The root value according to a backend: its own, or that of its move if it gives no value.
    fn found(&mut self, player: &mut Player, backend: Backend, row: Option<&IterationRow>) -> Option<Value> {
        row.and_then(|row| if backend.gives_value() { Some(row.value) } else { self.value(player, row) })
    }

    /// The value of a row's move at its depth, from a search of that move alone.
    fn value(&mut self, player: &mut Player, row: &IterationRow) -> Option<Value> {
        if !self.known.contains_key(&row.best) {
            let best = san::read(self.case.chess(), &row.best).ok()?;
            let limits = Limits { moves: vec![best], ..self.limits.clone() };
            let rows = measure(player, self.case, self.truth, &limits, self.stop)?;
            self.known.insert(row.best.clone(), rows);
        }
        self.known[&row.best].iter().find(|known| known.depth == row.depth).map(|known| known.value)
    }
}
