//! Files that the program resumes from (records), as inputs: any bytes behind the head that the program
//! itself writes, with a checksum that is right, so that they are read and not refused at once.

use plumb::chess::game::Game;
use plumb::eval::network::{Architecture, architecture::WIDTH_STEP};
use plumb::lab::base::formats::epd::{self, Reading};
use plumb::lab::base::records::lock::Lock;
use plumb::lab::base::records::{fingerprint::digest, head::RowChecksum, json_file};
use plumb::lab::base::statistics::logistic::Adam;
use plumb::lab::play::archive::format::StoredGame;
use plumb::lab::play::archive::game_file::GameFile;
use plumb::lab::play::archive::{prefix_digests::settings_of, source};
use plumb::lab::play::matches::pair_record::PairRecord;
use plumb::lab::play::training::{checkpoint, model::Model, trainer::Training};
use plumb::lab::play::tuning::texel_state::{Best, TexelState};
use plumb::lab::study::counting::record::{Comparison, CountRecord};
use plumb::lab::study::papers::experiment::{AnyExperiment, Scale};
use plumb::lab::study::papers::experiments;
use plumb::lab::study::papers::rows_file::{ExperimentPlan, RowsFile};
use plumb::lab::study::suites::{page, report, results::Results};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A kind of record.
struct Kind {
    /// Writes a file without rows; returns its head.
    begin: fn(&Path) -> Vec<u8>,
    /// That head: files that are written whole wait for the disk.
    head: OnceLock<Vec<u8>>,
    /// The file that has the rows, beside or instead of that.
    place: fn(&Path) -> PathBuf,
    /// Behind the head, such bytes as the program would have written: with a checksum.
    with_checksums: fn(&[u8], &[u8]) -> Vec<u8>,
    /// Reads a file and resumes from it; returns how much it holds, `None` if it is refused.
    read: fn(&Path) -> Option<usize>,
}

impl Kind {
    const fn new(
        begin: fn(&Path) -> Vec<u8>,
        with_checksums: fn(&[u8], &[u8]) -> Vec<u8>,
        read: fn(&Path) -> Option<usize>,
    ) -> Kind {
        Kind { begin, head: OnceLock::new(), place: Path::to_owned, with_checksums, read }
    }

    const fn at(mut self, place: fn(&Path) -> PathBuf) -> Kind {
        self.place = place;
        self
    }
}

/// Every kind, by the first letter of its seeds, from `a`.
static KINDS: [Kind; 7] = [
    Kind::new(begin_pairs, add_checksums, read_pairs),
    Kind::new(begin_counts, add_checksums, read_counts),
    Kind::new(begin_experiment, add_checksums, read_experiment),
    Kind::new(begin_texel, add_checksum_line, read_texel),
    Kind::new(begin_games, add_checksums, read_games).at(settings_of),
    Kind::new(|_| Vec::new(), |_, body| body.to_vec(), read_results),
    Kind::new(begin_checkpoint, add_checkpoint_digest, read_checkpoint),
];

/// A file of a kind that the first byte chooses ([`read`]).
pub(crate) fn record(bytes: &[u8]) {
    read(bytes);
}

/// Reads the file that the bytes describe: its kind is the first of them, a letter. It has its head if the
/// letter comes before `P`, and the checksums that it should have if it is a small one. Returns how much it
/// holds, which is the same when it is read again from what the first time has left; `None` if it is refused.
pub(crate) fn read(bytes: &[u8]) -> Option<usize> {
    let (&first, body) = bytes.split_first()?;
    let kind = KINDS.get(usize::from(first.wrapping_sub(1) & 7))?;
    let path = scratch();
    let head = || kind.head.get_or_init(|| (kind.begin)(&path)).clone();
    let mut file = if first & 0x50 == 0x40 { head() } else { Vec::new() };
    let body = if first & 0x20 != 0 { (kind.with_checksums)(&file, body) } else { body.to_vec() };
    file.extend(body);
    std::fs::write((kind.place)(&path), file).unwrap();
    let held = (kind.read)(&path);
    if held.is_some() {
        assert_eq!((kind.read)(&path), held);
    }
    for path in [settings_of(&path), path] {
        let _ = std::fs::remove_file(path);
    }
    held
}

/// A file of this thread.
fn scratch() -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "-");
    std::env::temp_dir().join(format!("plumb-record-{}-{thread}", std::process::id()))
}

fn bytes_of(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// Rows with a checksum each, which covers the head.
fn add_checksums(head: &[u8], body: &[u8]) -> Vec<u8> {
    RowChecksum::under(head).append_to(&String::from_utf8_lossy(body)).into_bytes()
}

fn begin_pairs(path: &Path) -> Vec<u8> {
    drop(PairRecord::open(path, &[], true).unwrap());
    bytes_of(path)
}

fn read_pairs(path: &Path) -> Option<usize> {
    PairRecord::open(path, &[], false).ok().map(|(_, pairs)| pairs.len())
}

/// Opens a record of counts: two contenders on the start position.
fn counts(path: &Path, restart: bool) -> Option<usize> {
    let suite = epd::parse("a suite", &Game::new().fen(), Reading::Positions);
    let (parameters, labels) = (Vec::new(), vec!["mtdf", "negascout"]);
    let opened = CountRecord::open(path, &Comparison { parameters, labels, cases: &suite.cases }, restart);
    opened.ok().map(|(_, runs)| runs.len())
}

fn begin_counts(path: &Path) -> Vec<u8> {
    assert_eq!(counts(path, true), Some(0));
    bytes_of(path)
}

fn read_counts(path: &Path) -> Option<usize> {
    counts(path, false)
}

/// An experiment with few units, and its plan.
fn experiment() -> (&'static dyn AnyExperiment, ExperimentPlan) {
    let known = experiments::all();
    let experiment = *known.iter().find(|experiment| experiment.about().name == "guess").unwrap();
    (experiment, ExperimentPlan::new(experiment, Scale::Quick))
}

fn begin_experiment(path: &Path) -> Vec<u8> {
    drop(RowsFile::open(path, &experiment().1, true).unwrap());
    bytes_of(path)
}

/// Conclusions are drawn from the rows too: every row that is read is one.
fn read_experiment(path: &Path) -> Option<usize> {
    let (experiment, plan) = experiment();
    let (_, contents) = RowsFile::open(path, &plan, false).ok()?;
    experiment.conclude(Scale::Quick, &contents.rows()).unwrap();
    Some(contents.done.len())
}

/// Two weights of a fit.
fn weights() -> Vec<String> {
    ["pawn", "tempo"].map(str::to_owned).to_vec()
}

fn begin_texel(path: &Path) -> Vec<u8> {
    let values = vec![100.0, 10.0];
    let best = Best { epoch: 0, loss: 0.1, values: values.clone() };
    let state = TexelState { epoch: 0, values, adam: Adam::new(2), best };
    state.write(&Lock::of(path).unwrap(), &[], &weights()).unwrap();
    let text = bytes_of(path);
    let end = text.iter().position(|&byte| byte == b'\n').unwrap();
    text[..=end].to_vec()
}

/// Text with a checksum of all of it in the last line.
fn add_checksum_line(head: &[u8], body: &[u8]) -> Vec<u8> {
    let body = String::from_utf8_lossy(body).into_owned().into_bytes();
    let sum = digest(&[head, &body].concat());
    [&body[..], format!("# checksum {sum:016x}\n").as_bytes()].concat()
}

fn read_texel(path: &Path) -> Option<usize> {
    TexelState::open(path, &[], &weights(), false).ok().flatten().map(|state| state.epoch)
}

/// A file with one game, and the head of its settings, whose rows are digests.
fn begin_games(path: &Path) -> Vec<u8> {
    GameFile::append_to(path).unwrap().finish().unwrap();
    let settings = bytes_of(&settings_of(path));
    let lines = settings.split_inclusive(|&byte| byte == b'\n');
    lines.take(2).flatten().copied().collect()
}

/// Reads a game with its digests.
fn read_games(path: &Path) -> Option<usize> {
    let game = StoredGame { opening: Game::new(), plies: Vec::new(), winner: None, reason: None };
    std::fs::write(path, game.bytes()).unwrap();
    let mut source = source::open(path).ok()?;
    let mut games = 0;
    while source.next_game().ok()?.is_some() {
        games += 1;
    }
    Some(games)
}

fn read_results(path: &Path) -> Option<usize> {
    let results = Results::read(path).ok()?;
    let _ = report::report(&results);
    let _ = page::page(&results);
    assert!(!json_file::text(&results).unwrap().is_empty());
    Some(results.rows.len())
}

/// A training of the smallest network before its first step.
fn begun() -> &'static Training {
    static BEGUN: OnceLock<Training> = OnceLock::new();
    BEGUN.get_or_init(|| {
        let architecture = Architecture { width: WIDTH_STEP, output_buckets: 1, ..Architecture::default() };
        Training::new(Model::random(architecture, 1), false)
    })
}

fn begin_checkpoint(path: &Path) -> Vec<u8> {
    checkpoint::save(&Lock::of(path).unwrap(), "a plan", begun(), [1, 2]).unwrap();
    let bytes = bytes_of(path);
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    bytes[..=end].to_vec()
}

/// The counters come from the input, the weights are zeros; a checksum at the end.
fn add_checkpoint_digest(head: &[u8], body: &[u8]) -> Vec<u8> {
    let numbers = 5 * begun().model.parameters.len();
    // Two checksums, four counters, a loss, and three losses an epoch.
    let curve = body.get(40..48).map_or(0, |epochs| u64::from_le_bytes(epochs.try_into().unwrap()).min(100));
    let bytes = [body, &vec![0; 56 + 24 * curve as usize + 4 * numbers]].concat();
    let bytes = &bytes[..56 + 24 * curve as usize + 4 * numbers];
    [bytes, &digest(&[head, bytes].concat()).to_le_bytes()].concat()
}

fn read_checkpoint(path: &Path) -> Option<usize> {
    let loaded = checkpoint::load(path, "a plan", begun()).ok()?;
    let _ = loaded.training.is_possible(100);
    Some(loaded.training.epoch)
}
