//! Entry point: a UCI engine without arguments, a laboratory command or a UCI command with them.

mod cpu_dispatch;

use std::process::ExitCode;

fn main() -> ExitCode {
    cpu_dispatch::hand_over();
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    #[cfg(feature = "lab")]
    let words = plumb::lab::play::datagen::genfens::unfold(words);
    match words.first().map(String::as_str) {
        None => plumb::uci::run(),
        #[cfg(feature = "lab")]
        Some(word) if plumb::lab::is_command(word) => plumb::lab::main(words),
        #[cfg(feature = "lab")]
        Some("help" | "--help" | "-h") => plumb::lab::help(&words[1..]),
        #[cfg(not(feature = "lab"))]
        Some("-h") => plumb::uci::run_command(&["help".to_owned()]),
        Some("-V") => plumb::uci::run_command(&["version".to_owned()]),
        Some(_) => plumb::uci::run_command(&words),
    }
}
