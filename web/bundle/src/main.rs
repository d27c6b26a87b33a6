//! `bundle TARGET FILE.wasm FOLDER`: the JavaScript that loads Plumb's WebAssembly, for `nodejs`, as modules
//! for the `web`, or as a script (`no-modules`).

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn run(words: &[String]) -> Result<(), String> {
    let [target, file, folder] = words else {
        return Err("bundle TARGET FILE.wasm FOLDER".to_owned());
    };
    let mut bindgen = Bindgen::new();
    let of_target = match target.as_str() {
        "nodejs" => bindgen.nodejs(true),
        "web" => bindgen.web(true),
        "no-modules" => bindgen.no_modules(true),
        other => return Err(format!("'{other}' is no target (known: nodejs, web, no-modules)")),
    };
    let made = of_target
        .map_err(|error| error.to_string())?
        .input_path(file)
        .typescript(target == "web")
        .generate(folder);
    made.map_err(|error| format!("{error:#}"))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bundle: {error}");
            ExitCode::FAILURE
        }
    }
}
