//! `bundle FORM FILE.wasm OUT`: the JavaScript that loads Plumb's WebAssembly: for `nodejs`, as modules for
//! the `web` (with the API of `web/page/plumb.js`), or as one `page`, a file that contains everything.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Style sheets of the page, in their order.
const STYLES: [&str; 5] = [
    "src/lab/base/pages/palette.css",
    "src/lab/base/pages/page.css",
    "src/lab/base/pages/board.css",
    "src/lab/study/tree/tree.css",
    "web/page/style.css",
];

/// Scripts of the page, in their order.
const SCRIPTS: [&str; 10] = [
    "src/lab/base/pages/board.js",
    "src/lab/study/tree/questions.js",
    "src/lab/study/tree/tree.js",
    "web/page/plumb.js",
    "web/page/chessboard.js",
    "web/page/watch.js",
    "web/page/tree_view.js",
    "web/page/board_view.js",
    "web/page/app.js",
    "web/page/start.js",
];

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Files of the repository, one behind the other.
fn joined(paths: &[&str]) -> Result<String, String> {
    paths.iter().map(|path| text(&Path::new(ROOT).join(path))).collect()
}

fn write(path: &Path, content: &str) -> Result<(), String> {
    fs::write(path, content).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs wasm-bindgen over a file, into a folder.
fn bind(bindgen: &mut Bindgen, file: &str, folder: &Path) -> Result<(), String> {
    bindgen.input_path(file).generate(folder).map_err(|error| format!("{error:#}"))
}

/// Modules of wasm-bindgen, and those of the API beside them.
fn modules(file: &str, folder: &Path) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bind(bindgen.web(true).map_err(|error| error.to_string())?.typescript(true), file, folder)?;
    write(&folder.join("plumb.js"), &joined(&["web/page/plumb.js"])?)?;
    // Imports stand before everything else.
    write(&folder.join("plumb_worker.js"), &joined(&["web/page/plumb_worker.js", "web/page/serve.js"])?)
}

fn packed(bytes: &[u8]) -> Result<String, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).map_err(|error| error.to_string())?;
    encoder.finish().map(|packed| STANDARD.encode(packed)).map_err(|error| error.to_string())
}

/// The page as one file: styles, scripts, the script of its Workers, and the WebAssembly, compressed.
fn page(file: &str, output: &Path) -> Result<(), String> {
    let folder = output.with_extension("parts");
    let mut bindgen = Bindgen::new();
    bind(bindgen.no_modules(true).map_err(|error| error.to_string())?.typescript(false), file, &folder)?;
    let bytes = fs::read(folder.join("plumb_web_bg.wasm")).map_err(|error| error.to_string())?;
    let glue = text(&folder.join("plumb_web.js"))?;
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    let worker = glue + &joined(&["web/page/serve.js", "web/page/file_worker.js"])?;
    let scripts = joined(&SCRIPTS)?;
    if [&worker, &scripts].iter().any(|script| script.contains("</script")) {
        return Err("a script contains the end of a script".to_owned());
    }
    let scripts = format!(
        "<script type=\"text/plain\" id=\"worker\">\n{worker}</script>\n\
         <script type=\"text/plain\" id=\"wasm\">\n{}\n</script>\n\
         <script type=\"module\">\n{scripts}</script>",
        packed(&bytes)?
    );
    let html = joined(&["web/page/index.html"])?;
    write(output, &html.replace("{{styles}}", &joined(&STYLES)?).replace("{{scripts}}", &scripts))
}

fn run(words: &[String]) -> Result<(), String> {
    let [form, file, output] = words else {
        return Err("bundle FORM FILE.wasm OUT".to_owned());
    };
    let output = Path::new(output);
    match form.as_str() {
        "nodejs" => {
            let mut bindgen = Bindgen::new();
            bind(bindgen.nodejs(true).map_err(|error| error.to_string())?.typescript(false), file, output)
        }
        "web" => modules(file, output),
        "page" => page(file, output),
        other => Err(format!("'{other}' is no form (known: nodejs, web, page)")),
    }
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
