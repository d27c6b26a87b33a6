//! Tests of what `make web` builds: the modules under Node.js, and the page in a browser.

mod node;
mod page;
