//! The WebAssembly of `make web` under Node.js, beside the same functions here.

use crate::compatibility::{Seen, version_of};
use plumb::search::Backend;
use std::path::Path;
use std::process::Command;

/// What a line of JavaScript prints, with Plumb as `plumb`.
fn node(script: &str) -> String {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/web/nodejs/plumb_web.js");
    let script = format!("const plumb = require({:?});\n{script}", module.display().to_string());
    let output = Command::new("node").args(["-e", &script]).output().expect("node");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "needs make web and Node.js"]
fn every_backend_counts_in_webassembly_what_it_counts_here() {
    for backend in Backend::ALL {
        let name = backend.alias();
        // Best-first searches end with their memory, which is the machine's, and not with a depth.
        let (depth, positions) = if backend.is_driver() { (6, 12) } else { (4, 2) };
        let here = plumb_web::bench(name, depth, positions).unwrap();
        let there = node(&format!("console.log(plumb.bench({name:?}, {depth}, {positions}))"));
        assert_eq!(there.trim(), here.to_string(), "{name}");
    }
    let seen = Seen {
        program: "Node.js",
        version: &version_of("node", "--version"),
        direction: "runs",
        run: "the WebAssembly of `make web`, every backend",
        seen: "the native counts",
    };
    seen.is_in_the_docs();
}

#[test]
#[ignore = "needs make web and Node.js"]
fn records_are_the_same_bytes_and_wrong_requests_throw() {
    for request in [
        r#"{"game": "report"}"#,
        r#"{"game": "othello", "backends": "all"}"#,
        r#"{"game": "chess", "depth": 3}"#,
    ] {
        let script = format!("process.stdout.write(plumb.tree({request:?}))");
        assert!(node(&script) == plumb_web::tree(request).unwrap(), "{request}");
    }
    let told = node(r#"try { plumb.tree('{"game": "go"}') } catch (error) { console.log(String(error)) }"#);
    assert!(told.contains("'go' is no game"), "{told}");
}
