//! The samples of games, packed into two files: training and validation.
//!
//! Games go into one part or the other as a whole, by a fingerprint of the game itself, and a position that
//! occurs among validation games is not learnt from: validation measures the loss on positions that were not
//! trained on. The files may be larger than the memory: an epoch reads them in blocks, in random order, and
//! shuffles as many at a time as the memory may hold.

use super::model::{Model, Scratch};
use super::sample::{BYTES, NO_RESULT, Sample};
use super::{calibration, lambda_returns, successors};
use crate::chess::Position;
use crate::chess::score::centipawns;
use crate::eval::HandCrafted;
use crate::eval::network::TrainedNetwork;
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::fingerprint::{self, EMPTY, extend};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::paths::InputPath;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::play::archive::format::StoredGame;
use crate::lab::play::archive::source::{self, is_quiet};
use crate::lab::play::training::arguments::TargetSource;
use crate::random::SplitMix64;
use shakmaty::{Color, Role};
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::slice;

/// Samples of a block, which is read in one piece.
const BLOCK: usize = 4096;

/// Percent of the games that are for validation.
const VALIDATION_PERCENT: u64 = 2;

/// Both parts of a packed corpus.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Samples to learn from.
    pub training: Part,
    /// Samples to be judged by.
    pub validation: Part,
}

/// A file of samples.
#[derive(Clone, Debug)]
pub struct Part {
    path: PathBuf,
    /// Samples in it.
    pub samples: usize,
    /// Checksum of the file.
    pub digest: u64,
}

impl Corpus {
    /// Checksums of the samples to learn from and of those for validation.
    #[must_use]
    pub fn digests(&self) -> [u64; 2] {
        [self.training.digest, self.validation.digest]
    }

    /// Packs the quiet positions of games into a folder; `None` when interrupted.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds no games.
    pub fn pack(sources: &Sources<'_>, folder: &Path) -> Result<Option<Corpus>, Failure> {
        let mut progress = Packing::new(sources.work()?);
        let validation = sources.validation_keys(&mut progress)?;
        let mut parts =
            [Writer::open(folder, "training.samples")?, Writer::open(folder, "validation.samples")?];
        let mut source_of_scores = ScoreSource::new(sources);
        sources.for_each(&mut progress, |game, played, is_validation| {
            let mut written = Ok(());
            let successors = if is_validation { 0 } else { sources.successors };
            sources.for_each_sample(game, played, successors, |position, score| {
                let mut sample = Sample::new(position, 0, game.winner);
                if (is_validation || !validation.contains(&sample.key())) && written.is_ok() {
                    sample.score = source_of_scores.score(position, &sample, score);
                    if score.is_none() {
                        sample.result = NO_RESULT;
                    }
                    written = parts[usize::from(is_validation)].write(&sample);
                }
            });
            written
        })?;
        progress.finish();
        if interrupted() {
            return Ok(None);
        }
        let [training, validation] = parts.map(Writer::end);
        Ok(Some(Corpus { training: training?, validation: validation? }))
    }
}

/// The games of a corpus, and what is learnt from them.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// Files of games.
    pub files: &'a [InputPath],
    /// Files of validation games. Where there are none, some games of `files` are taken.
    pub validation: &'a [InputPath],
    /// The source of scores.
    pub target: TargetSource,
    /// The network whose values are learnt: of successors, and where it is the target, of all positions.
    pub teacher: Option<&'a TrainedNetwork>,
    /// Random successors of every position that are learnt too; the target or the teacher scores them.
    pub successors: usize,
    /// λ of temporal differences, 0 to 1 (`lambda_returns`).
    pub td_lambda: f32,
    /// Centipawns that the sigmoid's argument counts as 1.
    pub scale: f32,
    /// True if the unit of each file's scores is fitted to its results (`calibration`).
    pub fit: bool,
}

impl Sources<'_> {
    /// Bytes of the games to learn from, and of those for validation where these have files of their own.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn bytes(&self) -> Result<[u64; 2], Failure> {
        let length = |path: &InputPath| {
            let about = std::fs::metadata(path);
            about.map(|about| about.len()).map_err(|error| Failure::file("read", path.display(), &error))
        };
        let sum = |files: &[InputPath]| files.iter().map(length).sum::<Result<u64, Failure>>();
        Ok([sum(self.files)?, sum(self.validation)?])
    }

    /// The work of packing: bytes that are read, for the positions of validation games, for the unit of the
    /// scores, and for the samples; those whose samples are made count as [`Sources::weight`].
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn work(&self) -> Result<u64, Failure> {
        let [files, validation] = self.bytes()?;
        let keys = if self.validation.is_empty() { files } else { validation };
        let fit = u64::from(self.fit);
        Ok((keys + validation * (1 + fit)).saturating_add(files.saturating_mul(self.weight() + fit)))
    }

    /// The work on a byte of games whose samples are made: a successor takes about as long as a position.
    pub(super) fn weight(&self) -> u64 {
        1 + self.successors as u64
    }

    /// Shows every game, with the centipawns that are the unit of its scores, and if it is for validation.
    fn for_each(
        &self,
        progress: &mut Packing,
        mut show: impl FnMut(&StoredGame, f32, bool) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let learnt = self.files.iter().map(|file| (file, false));
        let judged = self.validation.iter().map(|file| (file, true));
        for (file, all) in learnt.chain(judged) {
            let unit = self.unit(file, progress)?;
            source::for_each_sized(slice::from_ref(file), |game, bytes| {
                progress.add(bytes * if all { 1 } else { self.weight() });
                show(game, unit, all || (self.validation.is_empty() && is_validation(game)))
            })?;
        }
        Ok(())
    }

    /// Shows the samples of a game: positions with their scores, and so many random successors of each
    /// without one. `unit` is that of its scores, in centipawns.
    pub(super) fn for_each_sample(
        &self,
        game: &StoredGame,
        unit: f32,
        successors: usize,
        show: impl FnMut(&Position, Option<i16>),
    ) {
        let scores = lambda_returns::of(game, self.td_lambda, unit, self.scale);
        for_each_sample(game, &scores, successors, show);
    }

    /// The centipawns that are the unit of a file's scores.
    fn unit(&self, file: &InputPath, progress: &mut Packing) -> Result<f32, Failure> {
        if !self.fit {
            return Ok(self.scale);
        }
        let fitted = calibration::fitted(file, |bytes| progress.add(bytes))?;
        if interrupted() {
            // It was fitted to a part of the file, and nobody will learn from it.
            return Ok(self.scale);
        }
        let unit = fitted.unwrap_or(self.scale);
        let why = if fitted.is_some() { "" } else { " (too few decided games for a fit)" };
        let line = format!("{}: {unit:.0} centipawns are the unit of its scores{why}", file.display());
        progress.bar.aside(|| console::note(line));
        Ok(unit)
    }

    /// The keys of the validation positions.
    fn validation_keys(&self, progress: &mut Packing) -> Result<HashSet<u64>, Failure> {
        let mut keys = HashSet::new();
        // Games to learn from are not read where others are for validation.
        let (files, all) =
            if self.validation.is_empty() { (self.files, false) } else { (self.validation, true) };
        source::for_each_sized(files, |game, bytes| {
            progress.add(bytes);
            if all || is_validation(game) {
                for_each_sample(game, &[], 0, |position, _| {
                    let _ = keys.insert(Sample::new(position, 0, None).key());
                });
            }
            Ok(())
        })?;
        Ok(keys)
    }
}

fn is_validation(game: &StoredGame) -> bool {
    fingerprint::digest(&game.bytes()) % 100 < VALIDATION_PERCENT
}

/// Shows the quiet positions of a game with their scores for the side to move, in centipawns, and `count`
/// random successors of every position, without a score. `scores` are those of the plies for white; 0 where
/// there are none.
fn for_each_sample(
    game: &StoredGame,
    scores: &[i16],
    count: usize,
    mut show: impl FnMut(&Position, Option<i16>),
) {
    let mut random = SplitMix64::new(fingerprint::digest(&game.bytes()));
    let mut scores = scores.iter();
    game.for_each(|position, ply| {
        let score = scores.next().copied().unwrap_or(0);
        if is_quiet(position, ply) {
            show(position, Some(if position.turn().is_white() { score } else { -score }));
        }
        // A game has up to 400 positions, and each may have a thousand successors: a break does not wait for
        // them.
        if !interrupted() {
            successors::for_each(position, count, &mut random, |position| show(position, None));
        }
    });
}

/// Steps of the progress of packing.
const PARTS: u64 = 100;

/// Progress of packing, by its work ([`Sources::work`]).
struct Packing {
    bar: Progress,
    total: u64,
    done: u64,
    /// Steps of the bar that are shown.
    shown: u64,
}

impl Packing {
    fn new(total: u64) -> Packing {
        Packing {
            bar: Progress::new("percent packed", PARTS as usize, 0),
            total: total.max(1),
            done: 0,
            shown: 0,
        }
    }

    /// Counts work that is done. Files that grow meanwhile do not lead beyond the end.
    fn add(&mut self, work: u64) {
        self.done = self.done.saturating_add(work);
        let parts = (self.done.min(self.total) as f64 / self.total as f64 * PARTS as f64) as u64;
        while self.shown < parts {
            self.shown += 1;
            self.bar.step();
        }
    }

    fn finish(self) {
        self.bar.finish();
    }
}

/// The source of scores.
struct ScoreSource {
    target: TargetSource,
    evaluator: HandCrafted,
    teacher: Option<Teacher>,
}

impl ScoreSource {
    fn new(sources: &Sources<'_>) -> ScoreSource {
        let teacher = sources.teacher.map(|network| Teacher::new(network, sources.scale));
        ScoreSource { target: sources.target, evaluator: HandCrafted::new(), teacher }
    }

    /// The score to learn, for the side to move, in centipawns; `played` is the game's, if there is one.
    fn score(&mut self, position: &Position, sample: &Sample, played: Option<i16>) -> i16 {
        match (self.target, played) {
            (TargetSource::Games, Some(played)) => played,
            (TargetSource::Games, None) | (TargetSource::Network, _) => {
                self.teacher.as_mut().map_or(0, |teacher| teacher.score(sample))
            }
            (TargetSource::Material, _) => material(position),
            (TargetSource::HandCrafted, _) => hand_crafted(&mut self.evaluator, position),
        }
    }
}

/// A network whose values are learnt.
struct Teacher {
    model: Model,
    scratch: Scratch,
    /// Centipawns that an output of 1 counts as: those of the sigmoid, so that a pupil has the same outputs.
    scale: f32,
}

impl Teacher {
    fn new(network: &TrainedNetwork, scale: f32) -> Teacher {
        let scratch = Scratch::new(&network.architecture);
        Teacher { model: Model::of(network), scratch, scale }
    }

    /// The output for a position, in centipawns of the sigmoid.
    fn score(&mut self, sample: &Sample) -> i16 {
        (self.model.output(sample, &mut self.scratch) * self.scale).round() as i16
    }
}

/// The hand-crafted evaluation for the side to move, in centipawns.
pub(super) fn hand_crafted(evaluator: &mut HandCrafted, position: &Position) -> i16 {
    i16::try_from(evaluator.evaluate(position) * 100 / centipawns(100)).unwrap_or(0)
}

/// The material of the side to move less that of the other side, in centipawns.
pub(super) fn material(position: &Position) -> i16 {
    let worth =
        [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500), (Role::Queen, 900)];
    let board = position.board();
    let of = |color: Color| -> i32 {
        let side = board.by_color(color);
        worth.iter().map(|&(role, worth)| worth * (side & board.by_role(role)).count() as i32).sum()
    };
    (of(position.turn()) - of(!position.turn())) as i16
}

/// Bytes of samples written at a time.
const BUFFER: usize = 1 << 20;

/// A part that is being written.
struct Writer {
    path: PathBuf,
    file: Output,
    /// Samples that are not yet in the file.
    buffer: Vec<u8>,
    samples: usize,
    /// Checksum of what is in the file.
    digest: u64,
}

impl Writer {
    fn open(folder: &Path, name: &str) -> Result<Writer, Failure> {
        let path = folder.join(name);
        let (file, buffer) = (Output::create(&path, Kind::Binary)?, Vec::with_capacity(BUFFER));
        Ok(Writer { path, file, buffer, samples: 0, digest: EMPTY })
    }

    fn write(&mut self, sample: &Sample) -> Result<(), Failure> {
        self.samples += 1;
        self.buffer.extend(sample.bytes());
        if self.buffer.len() < BUFFER { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let written = self.file.write(&self.buffer);
        self.digest = extend(self.digest, &self.buffer);
        self.buffer.clear();
        written
    }

    fn end(mut self) -> Result<Part, Failure> {
        self.flush()?;
        self.file.finish()?;
        Ok(Part { path: self.path, samples: self.samples, digest: self.digest })
    }
}

impl Part {
    /// A part that was packed before, with this checksum if it is known.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    pub fn open(path: PathBuf, wanted: Option<u64>) -> Result<Part, Failure> {
        let failed = |error| Failure::file("read", path.display(), &error);
        let mut file = File::open(&path).map_err(failed)?;
        let (mut digest, mut length, mut buffer) = (EMPTY, 0, vec![0; BUFFER]);
        loop {
            let read = file.read(&mut buffer).map_err(failed)?;
            if read == 0 {
                break;
            }
            digest = extend(digest, &buffer[..read]);
            length += read;
        }
        if wanted.is_some_and(|wanted| wanted != digest) {
            let why = "is damaged: its checksum does not match; --restart begins anew";
            return Err(Failure::new(format!("{} {why}", path.display())));
        }
        Ok(Part { samples: length / BYTES, path, digest })
    }

    /// All samples, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Vec<Sample>, Failure> {
        let mut samples = Vec::with_capacity(self.samples);
        let mut file = self.file()?;
        self.read_block(&mut file, 0, self.samples, &mut samples)?;
        Ok(samples)
    }

    fn file(&self) -> Result<File, Failure> {
        File::open(&self.path).map_err(|error| Failure::file("read", self.path.display(), &error))
    }

    fn read_block(
        &self,
        file: &mut File,
        first: usize,
        count: usize,
        into: &mut Vec<Sample>,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::file("read", self.path.display(), &error);
        let mut bytes = vec![0; count * BYTES];
        file.seek(SeekFrom::Start((first * BYTES) as u64)).map_err(failed)?;
        file.read_exact(&mut bytes).map_err(failed)?;
        into.extend(bytes.as_chunks::<BYTES>().0.iter().map(Sample::from_bytes));
        Ok(())
    }

    /// One epoch: every sample once, in an order that follows from the seed and the epoch. At most `memory`
    /// samples are held at a time.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn epoch(&self, seed: u64, epoch: usize, memory: usize) -> Result<Epoch<'_>, Failure> {
        let mut random = SplitMix64::of_number(seed, epoch);
        let mut blocks: Vec<usize> = (0..self.samples.div_ceil(BLOCK)).collect();
        shuffle(&mut blocks, &mut random);
        let held = (memory / BLOCK).max(1);
        Ok(Epoch { part: self, file: self.file()?, blocks, held, random, pool: Vec::new(), at: 0 })
    }
}

/// The samples of an epoch, batch by batch.
pub struct Epoch<'a> {
    part: &'a Part,
    file: File,
    /// Blocks that are still to be read, the next one last.
    blocks: Vec<usize>,
    /// Blocks that are held at a time.
    held: usize,
    random: SplitMix64,
    pool: Vec<Sample>,
    /// The first sample of the pool that was not handed out.
    at: usize,
}

impl Epoch<'_> {
    /// The next `size` samples; fewer than that are left over at the end of an epoch, and `None` is returned.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn batch(&mut self, size: usize) -> Result<Option<&[Sample]>, Failure> {
        while self.pool.len() - self.at < size {
            if self.blocks.is_empty() {
                return Ok(None);
            }
            self.fill()?;
        }
        let batch = &self.pool[self.at..self.at + size];
        self.at += size;
        Ok(Some(batch))
    }

    /// Reads the next blocks behind what is left of the pool, and shuffles.
    fn fill(&mut self) -> Result<(), Failure> {
        self.pool.drain(..self.at);
        self.at = 0;
        for _ in 0..self.held {
            let Some(block) = self.blocks.pop() else { break };
            let first = block * BLOCK;
            let count = BLOCK.min(self.part.samples - first);
            self.part.read_block(&mut self.file, first, count, &mut self.pool)?;
        }
        shuffle(&mut self.pool, &mut self.random);
        Ok(())
    }
}

/// Fisher and Yates: every order is equally likely.
fn shuffle<T>(items: &mut [T], random: &mut SplitMix64) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::lab::base::records::test_folder::TestFolder;

    fn part(samples: usize) -> (Part, TestFolder) {
        let folder = TestFolder::new(&format!("corpus-{samples}"));
        let mut writer = Writer::open(&folder, "x.samples").unwrap();
        for number in 0..samples {
            let game = Game::new();
            writer.write(&Sample::new(game.position(), number as i16, None)).unwrap();
        }
        (writer.end().unwrap(), folder)
    }

    fn scores(part: &Part, seed: u64, epoch: usize, memory: usize) -> Vec<i16> {
        let mut order = part.epoch(seed, epoch, memory).unwrap();
        let mut scores = Vec::new();
        while let Some(batch) = order.batch(100).unwrap() {
            scores.extend(batch.iter().map(|sample| sample.score));
        }
        scores
    }

    #[test]
    fn an_epoch_shows_every_sample_once_in_an_order_of_its_own() {
        let (part, _folder) = part(20_000);
        for memory in [1, 9_000, 1 << 20] {
            let first = scores(&part, 1, 0, memory);
            assert_eq!(first, scores(&part, 1, 0, memory), "an epoch can be repeated");
            assert_ne!(first, scores(&part, 1, 1, memory));
            assert_ne!(first, scores(&part, 2, 0, memory));
            let mut sorted = first.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..20_000).collect::<Vec<i16>>());
        }
        assert_eq!(Part::open(part.path.clone(), Some(part.digest)).unwrap().samples, 20_000);
        assert_eq!(part.read().unwrap().len(), 20_000);
    }

    #[test]
    fn material_is_counted_for_the_side_to_move() {
        let of = |fen: &str| material(Game::parse_fen(fen).unwrap().position());
        assert_eq!(of("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1"), 700);
        assert_eq!(of("4k3/8/8/8/8/8/PP6/R3K3 b - - 0 1"), -700);
    }
}
