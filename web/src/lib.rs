//! Plumb for JavaScript: strings in, JSON out. Everything else is the library's; no page and no clock is
//! here.
//!
//! | function | what it does |
//! |---|---|
//! | [`bench()`] | node counts of fixed positions, by backend: those of the native program |
//! | [`tree()`] | the searches of a small tree, visit by visit (docs/tree.md) |
//!
//! In JavaScript a wrong request throws an `Error` with a sentence.

mod counts;
mod requests;

pub use counts::bench;
pub use requests::tree;

/// The functions as JavaScript has them.
pub mod javascript {
    use wasm_bindgen::JsError;
    use wasm_bindgen::prelude::wasm_bindgen;

    fn thrown(error: &str) -> JsError {
        JsError::new(error)
    }

    /// [`bench()`](super::bench()); numbers of JavaScript hold every integer to 2^53.
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn bench(backend: &str, depth: i32, positions: usize) -> Result<f64, JsError> {
        super::bench(backend, depth, positions).map(|nodes| nodes as f64).map_err(|error| thrown(&error))
    }

    /// [`tree()`](super::tree()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn tree(request: &str) -> Result<String, JsError> {
        super::tree(request).map_err(|error| thrown(&error))
    }
}
