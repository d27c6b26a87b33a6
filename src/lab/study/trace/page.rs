//! HTML page of `plumb trace`: the bounds of each driver after each pass, up to the value (TR figure 9).

use super::drawing::{self, Scales, bound};
use super::record::Trace;
use crate::chess::game::Game;
use crate::lab::base::pages::board;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::links;
use crate::lab::base::pages::page_frame::{self, PageFrame};
use crate::lab::base::pages::svg;
use crate::lab::base::pages::table::count;
use crate::search::{Backend, Driver, Mode, Pass};
use maud::{Markup, PreEscaped, html};

/// Of more passes than this, a table shows the first and the last ones.
const SHOWN: usize = 24;

/// The driver in whose per cent the others are shown, as in the papers.
const REFERENCE: Driver = Driver::NegaScout;

/// Style sheet of the page's layout.
const STYLE: &str = "\
.start, .driver { display: grid; gap: 0.5rem 2.5rem; align-items: start; }
.start > *, .driver > * { min-width: 0; }
.position { max-width: 22rem; margin: 0; }
.position code { font-size: 0.8rem; overflow-wrap: anywhere; }
.driver figure { margin: 0.5rem 0; }
@media screen and (min-width: 64rem) { .start { grid-template-columns: 19rem 1fr; } }
h2 .sample { display: inline-block; vertical-align: middle; margin-right: 0.5rem; }
nav .sample { vertical-align: middle; margin-right: 0.3rem; }
@media screen and (min-width: 72rem) { .driver { grid-template-columns: minmax(0, 47.5rem) max-content; } }
@media print { .position { max-width: 14rem; } }
";

/// The whole page, from searches of one position to one depth.
#[must_use]
pub fn page(game: &Game, traces: &[Trace], depth: i32, mode: Mode) -> String {
    let scales = Scales::new(traces);
    let content = html! {
        (PreEscaped(board::pieces()))
        div.start { (position(game)) div { (explanation()) (contents(traces)) } }
        section #all {
            h2 { "All drivers" }
            div.driver {
                div {
                    figure { (PreEscaped(svg::embedded(&growth(traces)))) }
                    @match in_per_cent(traces) {
                        Some(chart) => figure { (PreEscaped(svg::embedded(&chart))) },
                        None => p.soft { "Traced together with " (REFERENCE.name()) ", the drivers are also \
                        shown in per cent of it." },
                    }
                }
                (page_frame::table(&super::table(traces)))
            }
        }
        @for (index, trace) in traces.iter().enumerate() { (chapter(trace, &scales, index)) }
    };
    let page_frame = PageFrame {
        title: "Plumb: one search, pass by pass",
        heading: "One search, pass by pass",
        about: &format!("{} · depth {depth} · {mode} mode", game.fen()),
        styles: &[svg::STYLE, drawing::STYLE, board::STYLE, STYLE],
    };
    page_frame.document(&content)
}

/// The board, with a link to the analysis board of Lichess.
fn position(game: &Game) -> Markup {
    let fen = game.fen();
    let label = format!("Board: {fen}");
    html! {
        figure.position {
            (PreEscaped(board::draw(game.position().chess(), &[], &label)))
            figcaption { code { (fen) } " " a href=(links::analysis(&fen)) { "Lichess" } }
        }
    }
}

/// Drivers and bounds for readers who do not know them, and the legend of the pictures.
fn explanation() -> Markup {
    html! {
        p {
            "A driver finds the minimax value by a sequence of searches of the root, called passes. A pass \
             with a null window (MT) tests one bound " em { "b" }
            ": a fail high raises the lower bound f−, a fail low lowers the upper bound f+. The value is \
            known when they meet (Plaat, Schaeffer, Pijls and de Bruin 1995, figures 8 and 9). The drivers \
            differ in the choice of " em { "b" }
            "; the transposition table keeps what earlier passes found. NegaScout and Alpha-Beta search with \
             an open window."
        }
        p.soft {
            "The shaded band lies between f− and f+ after each pass. ▲: failed high; ▼: failed low; ◆: the \
             answer lies inside an open window, which is a vertical line, with arrow heads where it is \
             infinite. Values are in pawns for the side to move; mates and infinite bounds have rows of \
             their own. The dotted line is the value found. The dashed frame is drawn larger below, around \
             the value; below that are the moves made by each pass. The axes are the same for all drivers."
        }
    }
}

/// Name of a driver's section in links.
fn anchor(trace: &Trace) -> String {
    let name = trace.backend.name().to_lowercase();
    let parts = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    format!("driver-{}", parts.collect::<Vec<_>>().join("-"))
}

/// Links to the drivers.
fn contents(traces: &[Trace]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul.row {
                li { a href="#all" { "All drivers" } }
                @for (index, trace) in traces.iter().enumerate() {
                    li {
                        (PreEscaped(svg::sample(index)))
                        a href={ "#" (anchor(trace)) } { (trace.backend.name()) }
                    }
                }
            }
        }
    }
}

/// One driver: its last iteration as a picture and as a table.
fn chapter(trace: &Trace, scales: &Scales, index: usize) -> Markup {
    let (last, nodes) = (trace.last_iteration(), trace.nodes_by_pass());
    let noun = if last.len() == 1 { "pass" } else { "passes" };
    html! {
        section id=(anchor(trace)) {
            h2 { (PreEscaped(svg::sample(index))) (trace.backend.name()) }
            p {
                (last.len()) " " (noun) " in the last iteration; \
                value " strong { (drawing::bound(trace.value)) } "; "
                (trace.line.join(" "))
            }
            div.driver {
                figure { (PreEscaped(drawing::picture(trace, scales, index))) }
                (passes(last, &nodes))
            }
        }
    }
}

/// The passes as a table; of many, the first and the last.
fn passes(passes: &[Pass], nodes: &[u64]) -> Markup {
    let hidden = if passes.len() > SHOWN { SHOWN / 2..passes.len() - SHOWN / 2 } else { 0..0 };
    html! {
        div.wide {
            table.numbers {
                thead {
                    tr {
                        th { "pass" } th { "window" } th { "answer" } th { "f−" } th { "f+" } th { "moves \
                            made" }
                    }
                }
                tbody {
                    @for (index, (pass, &own)) in passes.iter().zip(nodes).enumerate() {
                        @if !hidden.contains(&index) { (pass_row(pass, own)) }
                        @else if index == hidden.start { tr { td colspan="6" { "… " (hidden.len()) " more \
                            …" } } }
                    }
                }
            }
        }
    }
}

fn pass_row(pass: &Pass, nodes: u64) -> Markup {
    let ((alpha, beta), (lower, upper)) = (pass.window, pass.bracket);
    html! {
        tr {
            td { (pass.number) }
            td { (bound(alpha)) " … " (bound(beta)) }
            td { (bound(pass.answer)) }
            td { (bound(lower)) }
            td { (bound(upper)) }
            td { (count(nodes)) }
        }
    }
}

/// Moves made up to each depth, a line for each driver.
fn growth(traces: &[Trace]) -> Chart {
    let series = |trace: &Trace| {
        let deepest = trace.passes.last().map_or(0, |pass| pass.depth);
        let point = |depth: i32| {
            let y = trace.nodes(depth)?.max(1) as f64;
            Some(Point { x: f64::from(depth), y, interval: None })
        };
        Series::measured(trace.backend.name(), (1..=deepest).filter_map(point).collect())
    };
    Chart {
        name: "nodes".into(),
        title: "Moves made to each depth".into(),
        x: Axis::linear("search depth in plies"),
        y: Axis::logarithmic("moves made, cumulative"),
        series: traces.iter().map(series).collect(),
        level: None,
    }
}

/// Moves made up to each depth in per cent of those of [`REFERENCE`]; `None` if it was not traced.
fn in_per_cent(traces: &[Trace]) -> Option<Chart> {
    let reference = traces.iter().find(|trace| trace.backend == Backend::Driver(REFERENCE))?;
    let mut chart = growth(traces);
    for series in &mut chart.series {
        series.points.retain_mut(|point| {
            let whole = reference.nodes(point.x as i32).filter(|&nodes| nodes > 0);
            point.y *= whole.map_or(f64::NAN, |nodes| 100.0 / nodes as f64);
            whole.is_some()
        });
    }
    let name = REFERENCE.name();
    Some(Chart {
        name: "per-cent".into(),
        title: format!("Moves made to each depth, in per cent of {name}"),
        y: Axis::logarithmic(format!("moves made, cumulative, % of {name}")),
        level: Some(100.0),
        ..chart
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::sample;
    use super::*;
    use crate::lab::base::pages::page_frame::checks;

    #[test]
    fn one_chart_shows_the_drivers_in_per_cent_of_negascout() {
        let traces = sample::traces();
        let chart = in_per_cent(&traces).expect("NegaScout is among the drivers");
        assert_eq!(chart.series.len(), traces.len());
        let (growth, at) = (growth(&traces), |name: &str| {
            chart.series.iter().position(|series| series.name == name).unwrap()
        });
        let negascout = at("NegaScout");
        assert!(chart.series[negascout].points.iter().all(|point| (point.y - 100.0).abs() < 1e-9));
        let ratio = |index: usize| growth.series[index].points[2].y / growth.series[negascout].points[2].y;
        let sss = at("SSS*");
        assert!((chart.series[sss].points[2].y - 100.0 * ratio(sss)).abs() < 1e-9);
        let others: Vec<Trace> =
            traces.into_iter().filter(|trace| trace.backend.name() != "NegaScout").collect();
        assert!(in_per_cent(&others).is_none());
        assert!(page(&Game::new(), &others, 3, Mode::Paper).contains("Traced together with NegaScout"));
    }

    #[test]
    fn every_driver_is_on_the_page() {
        let html = page(&Game::new(), &sample::traces(), 3, Mode::Paper);
        for backend in Backend::DRIVERS {
            assert!(html.contains(&format!("</svg>{}</h2>", backend.name())), "{backend}");
        }
        checks::sound(&html);
        assert_eq!(html.matches("href=\"#piece-p\"").count(), 16);
        assert_eq!(html.matches("href=\"#driver-").count(), Backend::DRIVERS.len());
        assert!(html.contains("−∞") && html.contains("▲") && html.contains("▼"));
        let [joint, first] =
            ["<title>Moves made to each depth</title>", "<section id=\"driver-"].map(|part| html.find(part));
        assert!(joint < first, "the chart of all drivers comes first");
    }
}
