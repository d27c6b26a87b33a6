//! A comparison as JSON: [`ComparisonJson`] has its fields. Ratios are relative to the base, which is 1.

use super::measure::Quantity;
use super::report::{At, Report, Searches};
use crate::lab::base::statistics::ratios::{Estimate, Ratio};
use crate::lab::base::terminal::settings;
use crate::search::Settings;
use serde::Serialize;
use std::collections::BTreeMap;

/// A comparison and its results.
#[derive(Debug, Serialize)]
pub struct ComparisonJson {
    /// Name and version of the program.
    program: String,
    /// `play`, `paper` or `strict`.
    mode: String,
    /// Transposition table in MiB.
    hash: usize,
    /// Positions of the comparison.
    positions: usize,
    /// The backend that the others are relative to.
    base: String,
    /// Its aspiration window in units of evaluation.
    base_window: i32,
    /// Search options of all backends.
    options: String,
    /// Results of every depth, cumulative from depth 1.
    depths: Vec<DepthJson>,
}

/// Results of one depth.
#[derive(Debug, Serialize)]
struct DepthJson {
    /// In plies.
    depth: i32,
    /// Positions that every backend has finished.
    positions: usize,
    backends: Vec<BackendJson>,
}

/// Results of a backend at a depth.
#[derive(Debug, Serialize)]
struct BackendJson {
    backend: String,
    /// Options that differ from those of all backends.
    options: String,
    /// Sums over the positions.
    sums: SumsJson,
    /// Ratios to the base by quantity; `null` where the backend does not count it.
    ratios: BTreeMap<&'static str, Option<RatioJson>>,
    #[serde(flatten)]
    searches: Searches,
}

/// Sums over all positions, named as the columns of the tables.
#[derive(Debug, Serialize)]
struct SumsJson {
    leaves: u64,
    total: u64,
    quiescence: u64,
    made_moves: u64,
    cpu_seconds: f64,
}

/// A ratio to the base with its 95 % intervals.
#[derive(Debug, Serialize)]
struct RatioJson {
    totals: EstimateJson,
    geometric_mean: EstimateJson,
}

#[derive(Debug, Serialize)]
struct EstimateJson {
    value: f64,
    interval: Option<(f64, f64)>,
}

impl From<Estimate> for EstimateJson {
    fn from(estimate: Estimate) -> EstimateJson {
        EstimateJson { value: estimate.value, interval: estimate.known_interval() }
    }
}

impl From<Ratio> for RatioJson {
    fn from(ratio: Ratio) -> RatioJson {
        RatioJson { totals: ratio.totals.into(), geometric_mean: ratio.geometric.into() }
    }
}

impl ComparisonJson {
    /// The results up to a depth. `common` are the settings of all backends; sizes are of the table in MiB,
    /// and of the set of positions.
    #[must_use]
    pub fn new(
        report: &Report<'_>,
        common: &Settings,
        (hash, positions): (usize, usize),
        deepest: i32,
    ) -> ComparisonJson {
        let base = &report.contenders[report.base];
        let depths = (1..=deepest).map(|depth| report.at(depth)).filter(|at| !at.positions.is_empty());
        ComparisonJson {
            program: concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned(),
            mode: base.settings.mode.to_string(),
            hash,
            positions,
            base: base.label.clone(),
            base_window: base.settings.drivers.aspiration_window,
            options: settings::describe(common),
            depths: depths.map(|at| depth_json(report, &at, common)).collect(),
        }
    }
}

fn depth_json(report: &Report<'_>, at: &At<'_>, common: &Settings) -> DepthJson {
    let backend = |&contender: &usize| {
        let (one, sum) = (&report.contenders[contender], at.sum(contender));
        let ratio = |quantity: Quantity| (quantity.key(), at.ratio(contender, quantity).map(RatioJson::from));
        BackendJson {
            backend: one.label.clone(),
            options: settings::difference(&one.settings, common),
            sums: SumsJson {
                leaves: sum.leaf,
                total: sum.total(),
                quiescence: sum.quiescence,
                made_moves: sum.made_moves,
                cpu_seconds: at.cpu(contender).as_secs_f64(),
            },
            ratios: Quantity::ALL.into_iter().map(ratio).collect(),
            searches: at.searches_of(contender),
        }
    };
    let backends = report.shown.iter().map(backend).collect();
    DepthJson { depth: at.depth, positions: at.positions.len(), backends }
}
