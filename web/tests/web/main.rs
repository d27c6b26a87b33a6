//! Tests of what `make web` builds: the modules under Node.js, and the page in a browser.

#[path = "../../../tests/common/compatibility.rs"]
#[allow(dead_code, reason = "no scripts in Python here")]
mod compatibility;
mod node;
mod page;
