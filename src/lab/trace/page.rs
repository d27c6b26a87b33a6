//! HTML page of `plumb trace`: the bounds of each driver after each pass, up to the value (TR figure 9).

use super::drawing;
use super::record::{Trace, pawns};
use crate::chess::game::Game;
use crate::chess::score::{MATE, Value};
use crate::lab::pages::board;
use crate::lab::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::pages::shell::Shell;
use crate::lab::pages::svg;
use crate::lab::pages::table::count;
use crate::search::{Mode, Pass};
use maud::{Markup, PreEscaped, html};

/// Of more passes than this, a table shows the first and the last ones.
const SHOWN: usize = 24;

/// Style sheet of the board above the text.
const STYLE: &str = ".position { max-width: 17rem; }\n";

/// The whole page.
#[must_use]
pub(super) fn page(game: &Game, traces: &[Trace], depth: i32, mode: Mode) -> String {
    let fen = game.fen();
    let content = html! {
        (PreEscaped(board::pieces()))
        div.position { (PreEscaped(board::draw(game.position().chess(), &[], &fen))) }
        (explanation())
        @for trace in traces { (chapter(trace)) }
        h2 { "All drivers" }
        figure { (PreEscaped(svg::draw(&growth(traces)))) }
    };
    let shell = Shell {
        title: "Plumb: one search, pass by pass",
        heading: "One search, pass by pass",
        about: &format!("{fen} · depth {depth} · {mode} mode"),
        styles: &[board::STYLE, STYLE],
    };
    shell.document(&content)
}

/// Drivers and bounds for readers who do not know them, and the legend of the pictures.
fn explanation() -> Markup {
    html! {
        p {
            "A driver never asks “what is this position worth?”. It asks “is it worth at least " em { "b" }
            "?”, and the null-window search (MT) answers with a bound: a question that " em { "fails high" }
            " raises the lower bound f−, one that " em { "fails low" }
            " lowers the upper bound f+. When they meet, the value is known (Plaat, Schaeffer, Pijls and de Bruin \
             1995, figures 8 and 9). Drivers differ in which " em { "b" }
            " they ask next; the table remembers what earlier passes found. NegaScout and Alpha-Beta ask with an \
             open window instead, drawn as a bar."
        }
        p.soft {
            "The shaded band is what is still possible after each pass; ▲ a question that failed high, ▼ one that \
             failed low, ◆ an answer inside an open window. Values are in pawns from the side to move. Beneath, the \
             moves made by each pass."
        }
    }
}

/// One driver: its last iteration as pictures and as a table.
fn chapter(trace: &Trace) -> Markup {
    let (last, nodes) = (trace.last_iteration(), trace.nodes_by_pass());
    html! {
        h2 { (trace.backend.name()) }
        p {
            (last.len()) " passes in the last iteration; value " strong { (pawns(trace.value)) } "; "
            (trace.line.join(" "))
        }
        figure {
            (PreEscaped(drawing::bounds(trace)))
            (PreEscaped(drawing::bars(&nodes)))
        }
        (passes(last, &nodes))
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
                        th { "pass" } th { "window" } th { "answer" } th { "f−" } th { "f+" } th { "moves made" }
                    }
                }
                tbody {
                    @for (index, (pass, &own)) in passes.iter().zip(nodes).enumerate() {
                        @if !hidden.contains(&index) { (pass_row(pass, own)) }
                        @else if index == hidden.start { tr { td colspan="6" { "… " (hidden.len()) " more …" } } }
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

/// A bound in pawns; beyond all mates it is infinite.
fn bound(value: Value) -> String {
    if value >= MATE {
        "+∞".to_owned()
    } else if value <= -MATE {
        "−∞".to_owned()
    } else {
        pawns(value)
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
        Series {
            name: trace.backend.name().to_owned(),
            points: (1..=deepest).filter_map(point).collect(),
            from_paper: false,
        }
    };
    Chart {
        name: "nodes".into(),
        title: "Moves made to each depth".into(),
        x: Axis { label: "search depth in plies".into(), logarithmic: false },
        y: Axis { label: "moves made, cumulative".into(), logarithmic: true },
        series: traces.iter().map(series).collect(),
        level: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::sample;
    use super::*;
    use crate::search::Backend;

    #[test]
    fn every_driver_is_on_the_page() {
        let html = page(&Game::new(), &sample::traces(), 3, Mode::Paper);
        for backend in Backend::DRIVERS {
            assert!(html.contains(&format!("<h2>{}</h2>", backend.name())), "{backend}");
        }
        assert!(!html.contains("NaN") && !html.contains("<script") && !html.contains("src="));
        assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
        assert_eq!(html.matches("href=\"#p\"").count(), 16);
        assert!(html.contains("−∞") && html.contains("▲") && html.contains("▼"));
    }
}
