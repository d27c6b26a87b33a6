//! Tests of every experiment that there is: what fails in a unit is reported with the unit's name, nothing of
//! it is recorded, and the next run resumes. A new experiment is in them as soon as it is in the list.

use super::*;
use crate::lab::base::records::head::{Head, RowChecksum};
use crate::lab::base::records::test_folder::TestFolder;
use crate::lab::study::papers::all;
use crate::lab::study::papers::experiment::{Section, Unit, Verdict};
use crate::lab::study::papers::work::REFUSED;
use std::collections::BTreeSet;

fn setup(folder: &TestFolder, shard: Shard) -> StudySetup<'_> {
    StudySetup { folder, scale: Scale::Quick, jobs: 2, shard, restart: false }
}

/// Units done, as the file of an experiment has them.
fn recorded(folder: &TestFolder, experiment: &'static dyn AnyExperiment) -> Vec<usize> {
    let contents = rows_file::read(&rows_of(folder, experiment), experiment).unwrap().unwrap().1;
    let mut units: Vec<usize> = contents.done.iter().map(|(unit, _)| *unit).collect();
    units.sort_unstable();
    units
}

/// Some units from all over an experiment, the first and the last among them.
fn sampled(experiment: &dyn AnyExperiment) -> Vec<usize> {
    let units = experiment.units(Scale::Quick).len();
    (0..units).step_by(units / 12 + 1).chain([units - 1]).collect()
}

#[test]
fn every_experiment_has_units_of_different_names_and_rows_of_its_columns() {
    for one in all() {
        for scale in [Scale::Quick, Scale::Full] {
            let names: Vec<String> = one.units(scale).into_iter().map(|unit| unit.name).collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{}", one.about().name);
            assert!(names.iter().all(|name| !name.contains([',', '\n'])), "{}", one.about().name);
        }
        let row = one.empty_row();
        assert_eq!((row.len(), one.check(&row)), (one.about().columns.len(), Ok(())), "{}", one.about().name);
    }
}

#[test]
fn without_rows_every_claim_of_every_experiment_is_open() {
    for one in all() {
        for scale in [Scale::Quick, Scale::Full] {
            let section = one.conclude(scale, &[]).unwrap();
            assert!(!section.claims.is_empty(), "{}", one.about().name);
            for claim in section.claims {
                assert_eq!(claim.verdict, Verdict::Open, "{}: {}", one.about().name, claim.claim);
            }
        }
    }
}

/// Units that ask for no memory at once end at the stop flag.
#[test]
fn a_unit_that_is_refused_memory_says_so_and_every_unit_looks_at_the_stop_flag() {
    let mut refused = BTreeSet::new();
    for one in all() {
        for unit in sampled(one) {
            let stop = Stop::default();
            stop.abandon();
            let work = Work::without_memory(&stop);
            let done = one.run(Scale::Quick, unit, &work);
            let wanted = match work.refused() {
                0 => Unfinished::Stopped,
                _ => Unfinished::Memory(REFUSED.to_owned()),
            };
            assert_eq!(done, Err(wanted), "{}: unit {unit}", one.about().name);
            refused.extend((work.refused() > 0).then_some(one.about().name));
        }
    }
    assert!(refused.len() > all().len() / 2, "{refused:?}");
}

/// A run in which there is no memory, of one unit of each experiment that asks for it.
#[test]
fn a_run_without_memory_names_the_unit_and_records_nothing() {
    let mut told = 0;
    for one in all() {
        let stop = Stop::default();
        stop.abandon();
        let asking = Work::without_memory(&stop);
        assert!(one.run(Scale::Quick, 0, &asking).is_err());
        if asking.refused() == 0 {
            continue;
        }
        told += 1;
        let folder = TestFolder::new(&format!("no-memory-{}", one.about().name));
        let setup = setup(&folder, Shard { number: 1, of: 1_000_000 });
        for _ in 0..2 {
            let failure =
                measure(one, &setup, &Work::without_memory(&Stop::default())).expect_err("no memory");
            let unit = &one.units(Scale::Quick)[0].name;
            let wanted = format!("{}: unit {unit} failed: {REFUSED}; ", one.about().name);
            assert!(failure.message().unwrap().starts_with(&wanted), "{failure:?}");
            assert!(recorded(&folder, one).is_empty());
        }
    }
    assert!(told > 0);
}

/// An experiment with the first units of another, which get an empty row each, but for one that may fail.
struct Faulty {
    of: &'static dyn AnyExperiment,
    fails: Option<Unfinished>,
}

/// Units of [`Faulty`], and the one that fails.
const UNITS: usize = 4;
const FAILING: usize = 2;

impl AnyExperiment for Faulty {
    fn about(&self) -> Description {
        self.of.about()
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        self.of.units(scale).into_iter().take(UNITS).collect()
    }

    fn run(&self, _: Scale, index: usize, _: &Work<'_>) -> Result<Vec<Cells>, Unfinished> {
        match &self.fails {
            Some(why) if index == FAILING => Err(why.clone()),
            _ => Ok(vec![self.of.empty_row(); 2]),
        }
    }

    fn check(&self, row: &Cells) -> Result<(), String> {
        self.of.check(row)
    }

    fn conclude(&self, scale: Scale, rows: &[Cells]) -> Result<Section, String> {
        self.of.conclude(scale, rows)
    }

    fn empty_row(&self) -> Cells {
        self.of.empty_row()
    }
}

impl Faulty {
    fn of(of: &'static dyn AnyExperiment, fails: Option<Unfinished>) -> &'static Faulty {
        Box::leak(Box::new(Faulty { of, fails }))
    }
}

#[test]
fn a_unit_that_fails_is_named_the_others_are_kept_and_the_next_run_does_it() {
    for of in all() {
        let folder = TestFolder::new(&format!("faulty-{}", of.about().name));
        let whole = setup(&folder, Shard::WHOLE);
        let run = |one: &'static Faulty| measure(one, &whole, &Work::new(&Stop::default()));
        let name = of.units(Scale::Quick)[FAILING].name.clone();
        for why in [
            Unfinished::Memory("no memory".to_owned()),
            Unfinished::Failed("no opening".to_owned()),
            Unfinished::Stopped,
            Unfinished::Empty,
        ] {
            let failure = run(Faulty::of(of, Some(why.clone()))).expect_err("a unit fails");
            let wanted = format!("{}: unit {name} failed: {why}; ", of.about().name);
            assert!(failure.message().unwrap().starts_with(&wanted), "{failure:?}");
            assert_eq!(recorded(&folder, Faulty::of(of, None)), [0, 1, 3], "{}", of.about().name);
        }
        run(Faulty::of(of, None)).unwrap();
        assert_eq!(recorded(&folder, Faulty::of(of, None)), [0, 1, 2, 3], "{}", of.about().name);
        show(&folder, &[Faulty::of(of, None)], &[]).unwrap();
    }
}

/// Every cell in turn is a question mark: whoever reads the file names line, unit and cell, and changes
/// nothing.
#[test]
fn a_row_that_cannot_be_read_is_refused_with_its_line_and_unit() {
    for of in all() {
        let (one, folder) =
            (Faulty::of(of, None), TestFolder::new(&format!("unreadable-{}", of.about().name)));
        let whole = setup(&folder, Shard::WHOLE);
        measure(one, &whole, &Work::new(&Stop::default())).unwrap();
        let path = rows_of(&folder, one);
        let good = std::fs::read_to_string(&path).unwrap();
        let (head, rows) = good.split_at(good.find("checksum\n").unwrap() + "checksum\n".len());
        let checksums = RowChecksum::under(head.as_bytes());
        let plain: Vec<&str> = rows.lines().map(|line| checksums.verified(line).unwrap()).collect();
        let mut refused = 0;
        for column in 0..of.about().columns.len() {
            let mut cells: Vec<&str> = plain[1].split(',').collect();
            cells[2 + column] = "?";
            let wrong = cells.join(",");
            let lines = [plain[0], wrong.as_str()].into_iter().chain(plain[2..].iter().copied());
            let text = head.to_owned() + &checksums.append_to(&lines.collect::<Vec<_>>().join("\n"));
            std::fs::write(&path, &text).unwrap();
            let Err(failure) = measure(one, &whole, &Work::new(&Stop::default())) else { continue };
            refused += 1;
            let wanted = format!(" line {}: unit {}: ", head.lines().count() + 2, cells[0]);
            for failure in [Some(failure), report(&folder, None, &[one]).err(), export_of(&folder, one).err()]
            {
                let failure = failure.expect("refused");
                let told = failure.message().unwrap();
                assert!(
                    told.split_once(&wanted).is_some_and(|(_, why)| why.contains('?')),
                    "{told}\n{wanted}"
                );
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert!(refused > 0, "{} has numbers", of.about().name);
    }
}

fn export_of(folder: &TestFolder, one: &'static Faulty) -> Result<(), Failure> {
    export(folder, &folder.join("csv"), &[one])
}

/// Rows of the full protocol under the head of the quick one: each file is sound by itself.
#[test]
fn rows_under_the_head_of_another_record_are_refused() {
    for one in all() {
        let folder = TestFolder::new(&format!("heads-{}", one.about().name));
        let path = rows_of(&folder, one);
        let head = |scale| -> Head { ExperimentPlan::new(one, scale).head() };
        let (quick, full) = (head(Scale::Quick), head(Scale::Full));
        let name = &one.units(Scale::Quick)[0].name;
        let row = format!("{name},0,{}\n", one.empty_row().join(","));
        for (checksums, sound) in [(quick.checksums(), true), (full.checksums(), false)] {
            std::fs::write(&path, quick.text().to_owned() + &checksums.append_to(&row)).unwrap();
            let read = rows_file::read(&path, one);
            assert_eq!(read.is_ok(), sound, "{}: {:?}", one.about().name, read.err());
        }
    }
}
