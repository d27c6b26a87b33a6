#!/bin/bash
# A UCI parser in Rust loses nodes and principal variation of every `info` line that has `wdl` in it, and
# drops a line that begins with an unknown word.
#
# Guess 315: the line is unknown to it. Guess 339: a foreign word before a command is skipped, as the UCI
#            protocol asks.
# Seen:      `wdl` and all that follows it become one text, without an error; depth and score before it are
#            read. Of `joho debug on` and of `bestmove (none)` `parse` gives nothing. The crate ruci reads
#            the line and skips `wdl`; uci-parser skips the foreign word.
# Versions:  crates vampirc-uci 0.11.1, uci-parser 1.1.0 (ruci 2.1.0 was tried by hand).
# Source:    https://github.com/vampirc/vampirc-uci; UCI protocol (unknown tokens are to be ignored)
# Means:     with `UCI_ShowWDL` a runner on this parser has no node counts and no moves, and one that waits
#            for the answer in a mated position waits for ever. Node counts of zero in such a match are the
#            parser's. The option is to be off in matches; Plumb has the same line format as Stockfish.
. "$(dirname "$0")/common.sh"
crate_program 'vampirc-uci = "=0.11.1"' 'uci-parser = "=1.1.0"' <<'RUST'
use std::str::FromStr;
use vampirc_uci::{UciInfoAttribute, UciMessage};
fn describe(line: &str) -> String {
    let messages = vampirc_uci::parse(&format!("{line}\n"));
    let Some(UciMessage::Info(attributes)) = messages.iter().next() else {
        return format!("{} messages", messages.len());
    };
    let (mut nodes, mut moves) = ("no nodes", "no moves");
    for attribute in attributes {
        match attribute {
            UciInfoAttribute::Nodes(_) => nodes = "nodes",
            UciInfoAttribute::Pv(_) => moves = "moves",
            _ => {}
        }
    }
    format!("{nodes}, {moves}")
}
fn main() {
    println!("plain {}", describe("info depth 5 score cp 10 nodes 100 pv e2e4"));
    println!("wdl {}", describe("info depth 5 score cp 10 wdl 6 943 51 nodes 100 pv e2e4"));
    println!("joho {}", describe("joho debug on"));
    println!("none {}", describe("bestmove (none)"));
    println!("joho-other {:?}", uci_parser::UciCommand::from_str("joho debug on"));
}
RUST
./target/debug/found > read.txt
of() { sed -n "s/^$1 //p" read.txt; }
same 'vampirc-uci, plain line' "$(of plain)" 'nodes, moves'
same 'vampirc-uci, line with wdl' "$(of wdl)" 'no nodes, no moves'
same 'vampirc-uci, joho debug on' "$(of joho)" '0 messages'
same 'vampirc-uci, bestmove (none)' "$(of none)" '0 messages'
same 'uci-parser, joho debug on' "$(of joho-other)" 'Ok(Debug(true))'
finish
