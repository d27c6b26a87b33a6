//! The page of recorded searches: explanation, controls, a panel for each algorithm, legend, and the record
//! that the script draws. It is complete in itself and loads nothing. Its parts serve pages of others: the
//! content of one record ([`content`]), the pseudocode of all ([`pseudocode`]), style and script.

use super::code::{self, Code};
use super::record::{GameInfo, ReasonText, Record, Relation, Run};
use crate::lab::base::pages::board;
use crate::lab::base::pages::page_frame::PageFrame;
use crate::search::Backend;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// Style sheets of the content, to be put behind that of every page.
pub const STYLES: [&str; 2] = [board::STYLE, include_str!("tree.css")];
/// Scripts of the content: boards, the questions, and the steps, a function `showTree`.
pub const SCRIPTS: [&str; 3] = [board::SCRIPT, include_str!("questions.js"), include_str!("tree.js")];

/// Shows the record of the page; the address of the page is that of the moment.
const START: &str = r##"
const read = (id) => JSON.parse(document.getElementById(id).textContent);
showTree(read("record"), read("pseudocode"), {
  read: () => location.hash.slice(1),
  write: (text) => history.replaceState(history.state, "", "#" + text),
});
"##;

/// Most letters of the position in the heading: the text of a drawn tree can be long.
const POSITION_SHOWN: usize = 120;

/// Panels that are shown at first.
const SHOWN: usize = 3;

/// The whole page; `json` is the record as text.
#[must_use]
pub fn page(record: &Record, json: &str) -> String {
    let content = html! {
        (self::content(record))
        // A closing tag inside the record would end the element.
        script #pseudocode type="application/json" { (PreEscaped(in_script(&pseudocode().to_string()))) }
        script #record type="application/json" { (PreEscaped(in_script(json))) }
        script {
            @for script in SCRIPTS { (PreEscaped(script)) }
            (PreEscaped(START))
        }
    };
    let page_frame = PageFrame {
        title: "Plumb: one tree, step by step",
        heading: "One tree, step by step",
        about: &about(&record.game),
        styles: &STYLES,
    };
    page_frame.document(&content)
}

/// JSON that may stand inside an element `script`.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Game, root, depth, mode, and what its values are, in a line.
#[must_use]
pub fn about(game: &GameInfo) -> String {
    let mode = if game.mode.is_empty() { String::new() } else { format!(" · {} mode", game.mode) };
    let mut position: String = game.position.chars().take(POSITION_SHOWN).collect();
    if position.len() < game.position.len() {
        position.push('…');
    }
    let measured = measured(game);
    format!("{} · {position} · depth {}{mode} · values for MAX{measured}", game.name, game.depth)
}

/// The unit of printed values, behind the words that say whose they are; a tree has none.
fn measured(game: &GameInfo) -> String {
    if game.measure.is_empty() { String::new() } else { format!(", in {}", game.measure) }
}

/// Everything that the page shows of a record. The script fills it.
#[must_use]
pub fn content(record: &Record) -> Markup {
    html! {
        noscript { p.gap { "The steps need JavaScript; the table at the end of the page does not." } }
        (controls(record))
        (question())
        div #race .race { @for (index, run) in record.runs.iter().enumerate() { (panel(index, run)) } }
        (explanation(record))
        (legend(record))
        div.below {
            section #details aria-live="polite" {
                h2 { "The node" }
                @if !record.nodes.boards.is_empty() { (board(&record.game)) }
                p #node { "Choose a node of a tree." }
            }
            section {
                h2 { "The pass as a list" }
                p.soft #listed {}
                ol #list {}
            }
        }
        (summary(record))
    }
}

/// The pseudocode of each backend as JSON, by its name for links.
#[must_use]
pub fn pseudocode() -> serde_json::Value {
    let code = Backend::ALL.iter().filter_map(|&backend| Some((backend.alias(), code::code(backend)?)));
    let code: BTreeMap<&str, Code> = code.collect();
    serde_json::json!(code)
}

/// Null windows, passes and the keys in half a page, folded.
fn explanation(record: &Record) -> Markup {
    let informed = record.runs.iter().any(|run| run.alias == Backend::Ins.alias());
    html! {
        details.lead {
            summary { "How to read this: bounds, null windows, passes, keys" }
            p {
                "Two sides move in turn: MAX (squares) wants a high value, MIN (circles) a low one. A search \
                does not have to find the value of a node; a " strong { "bound" } " is often enough. \
                A " strong { "null window" }
                " asks no more than “is the value at least " em { "b" } "?”. If it is, the \
                search " strong { "fails high" }
                " and has found a lower bound (≥); if not, it fails low and has found an upper bound (≤). \
                Such a question is cheap: at a MAX node one move that reaches \
                " em { "b" } " settles it, at a MIN node one \
                that stays below, and the other moves are cut off."
            }
            p {
                "One answer is not the value. So an algorithm asks again, with another bound, until the \
                lower bound f− and the upper bound f+ of the root meet: each question is a \
                " strong { "pass" }
                ". What earlier passes found is in the transposition table, so that a pass follows one path \
                down to the place that decides its question, and most of its visits are answered by the \
                table. The pseudocode in a panel is that of its algorithm; the line that runs is marked."
            }
            @if informed {
                p {
                    "INS has no table. The null-window search of a move leaves a map: at each node either \
                    the move that cut off, or the list of all moves with the upper bounds that they \
                    returned. If that search fails high, the move is searched again with its map: the moves \
                    in front of one that cut off are left out, and the moves of a list are taken by their \
                    bounds, the highest first, until the best value found is no less than the next bound."
                }
            }
            p.soft {
                "All algorithms share one clock: the visits that each has made. All values are seen from \
                MAX, the side to move at the root. Keys: → and ← step, ] and [ go to the next pass and the \
                one before, Home and End, the space bar plays, 1 to 9 choose an algorithm, Escape leaves the \
                chosen node, f follows the search into folded subtrees, 0 fits the trees into their panels \
                or shows them in full size, q asks before each step what the search does next, and a to d \
                answer. The address of the page always names the moment that is shown."
            }
        }
    }
}

/// The board that shows the chosen node, and the shapes of its pieces.
fn board(game: &GameInfo) -> Markup {
    let chess = game.mate.is_some();
    html! {
        (PreEscaped(if chess { board::pieces() } else { board::counters() }))
        figure #board {
            (PreEscaped(board::empty(game.name != "Othello")))
            figcaption.soft #shown {}
        }
    }
}

/// The question about the next step, its answers and the score; the script fills and shows it.
fn question() -> Markup {
    html! {
        section #question aria-label="Question" hidden {
            p #feedback aria-live="polite" {}
            p #asked {}
            div.buttons #answers role="group" aria-label="Answers" {}
            p.soft #score {}
        }
    }
}

/// Buttons, slider, and the choice of algorithms.
fn controls(record: &Record) -> Markup {
    let button = |id: &str, text: &str, label: &str| {
        html! { button #(id) type="button" aria-label=(label) title=(label) { (text) } }
    };
    html! {
        section.controls aria-label="Controls" {
            div.buttons.steps role="group" aria-label="Steps" {
                (button("first", "|‹", "first moment"))
                (button("before", "«", "pass before"))
                (button("back", "‹", "step back"))
                (button("play", "▶", "play"))
                (button("forward", "›", "step forward"))
                (button("after", "»", "next pass"))
                (button("last", "›|", "last moment"))
            }
            div.buttons {
                label.speed {
                    "speed "
                    select #speed {
                        option value="1000" { "slow" }
                        option value="400" selected { "medium" }
                        option value="80" { "fast" }
                        option value="16" { "fastest" }
                    }
                }
                label { input #follow type="checkbox"; " follow" }
                button #fit type="button" aria-pressed="false" title="the whole drawing in its \
                panel" { "fit" }
                button #ask type="button" aria-pressed="false" title="a question before every \
                step" { "questions" }
            }
            label.clock for="moment" { "clock: " output #clock for="moment" { "0 visits" } }
            input #moment type="range" min="0" max="0" value="0" aria-label="moment";
        }
        div.buttons #drivers role="group" aria-label="Algorithms" {
            @for (index, run) in record.runs.iter().enumerate() {
                button.driver type="button" data-run=(index) aria-pressed=(index < SHOWN) { (run.driver) }
            }
        }
    }
}

/// The panel of an algorithm; the script fills it.
fn panel(index: usize, run: &Run) -> Markup {
    let heading = format!("driver{index}");
    html! {
        article.panel data-run=(index) data-driver=(run.alias) aria-labelledby=(heading)
            hidden[index >= SHOWN] {
            h2 #(heading) { (run.driver) " " span.finished { } }
            p.counts {
                "passes " b data-count="passes" { "0" } " · visits " b data-count="visits" { "0" }
                " · leaves " b data-count="leaf" { "0" } " · interior " b data-count="interior" { "0" }
                " · table " b data-count="table" { "0" }
                span.quiescence { " · quiescence " b data-count="quiescence" { "0" } }
            }
            div.bracket {}
            p.words {}
            div.passes role="group" aria-label={ "Passes of " (run.driver) } {}
            div.canvas tabindex="-1" {}
            ol.code aria-label={ "Pseudocode of " (run.driver) } {}
        }
    }
}

/// Signs of the picture; of the reasons those that have a badge.
fn legend(record: &Record) -> Markup {
    let badge = |reason: &ReasonText| Some(format!("{} {}", reason.badge?, reason.words));
    let badges: Vec<String> = record.reasons.values().filter_map(badge).collect();
    let chess = record.game.mate.is_some();
    let ahead = if chess { ", as far as one of the searches finds it" } else { "" };
    html! {
        section.legend aria-label="Legend" {
            ul {
                li { span.key.fresh {} " visited for the first time in this pass" }
                li { span.key.again {} " visited again in this pass" }
                li { span.key.table {} " answered by the table in this pass" }
                li { span.key.seen {} " visited in an earlier pass" }
                li { span.key.unseen {} " not visited" }
                li { span.key.current {} " the last visit; the thick line leads to it" }
                li { span.key.cut {} " cut off: not visited in this pass" }
                li { span.key.fold { "▽" } " a folded subtree with its visits; a click or Enter opens it" }
                li { span.plus { "+12" } " more moves; a click shows those that were visited" }
                li { span.ahead { "41" } " the value of a leaf before it is visited" (ahead) }
            }
            p.soft #reasons { (badges.join(" · ")) }
        }
    }
}

/// The result of a run as the page writes it: a bound with its sign.
fn result(game: &GameInfo, run: &Run) -> String {
    let sign = |relation| match relation {
        Relation::AtLeast => "≥",
        Relation::AtMost => "≤",
        Relation::Exact => "=",
    };
    game.result(run, sign)
}

/// The results as a table, for readers without a script. The script folds it while it asks questions.
fn summary(record: &Record) -> Markup {
    let bounds = record.runs.iter().any(|run| run.relation != Relation::Exact);
    html! {
        details #results open {
            summary { "Results" }
            p.soft {
                "Values are seen from MAX" (measured(&record.game)) "."
                @if bounds { " A value with ≥ or ≤ is a bound: that search looks for the best move alone." }
            }
            div.wide {
                table.numbers {
                    thead {
                        tr {
                            th.word { "algorithm" } th { "value" } th.word { "move" } th { "passes" }
                            th { "visits" } th { "interior" } th { "leaves" } th { "quiescence" }
                            th { "table" }
                        }
                    }
                    tbody {
                        @for run in &record.runs {
                            tr {
                                td.word { (run.driver) }
                                td { (result(&record.game, run)) }
                                td.word { (run.best) }
                                td { (run.counts.passes) }
                                td { (run.counts.visits()) }
                                td { (run.counts.interior) }
                                td { (run.counts.leaf) }
                                td { (run.counts.quiescence) }
                                td { (run.counts.table) }
                            }
                        }
                    }
                }
            }
        }
    }
}
