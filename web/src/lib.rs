//! Plumb for JavaScript: strings in, JSON out. Everything else is the library's; no page is here.
//!
//! | function | what it does |
//! |---|---|
//! | [`bench()`] | node counts of fixed positions, by backend: those of the native program |
//! | [`tree()`], [`tree_page()`] | the searches of a small tree, visit by visit (docs/tree.md); its page |
//! | [`trace()`] | the passes of several drivers over one position, as the page of `plumb trace` |
//! | [`position()`] | a position with its legal moves |
//! | [`read_pgn()`], [`write_pgn()`] | games |
//! | [`Engine`] | searches of chess, which tell what they find while they run |
//! | [`choices()`] | names: backends, suites of positions |
//!
//! In JavaScript a wrong request throws an `Error` with a sentence.

mod catalogue;
mod counts;
mod requests;
mod rules;
mod search;

pub use catalogue::choices;
pub use counts::bench;
pub use requests::{trace, tree, tree_page};
pub use rules::{position, read_pgn, write_pgn};
pub use search::Engine;

/// The functions as JavaScript has them.
pub mod javascript {
    use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
    use wasm_bindgen::{JsCast as _, JsError};

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

    /// [`tree_page()`](super::tree_page()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn tree_page(request: &str) -> Result<String, JsError> {
        super::tree_page(request).map_err(|error| thrown(&error))
    }

    /// [`trace()`](super::trace()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn trace(request: &str) -> Result<String, JsError> {
        super::trace(request).map_err(|error| thrown(&error))
    }

    /// [`position()`](super::position()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn position(request: &str) -> Result<String, JsError> {
        super::position(request).map_err(|error| thrown(&error))
    }

    /// [`read_pgn()`](super::read_pgn()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn read_pgn(text: &str) -> Result<String, JsError> {
        super::read_pgn(text).map_err(|error| thrown(&error))
    }

    /// [`write_pgn()`](super::write_pgn()).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen]
    pub fn write_pgn(request: &str) -> Result<String, JsError> {
        super::write_pgn(request).map_err(|error| thrown(&error))
    }

    /// [`choices()`](super::choices()).
    #[wasm_bindgen]
    #[must_use]
    pub fn choices() -> String {
        super::choices()
    }

    /// [`Engine`](super::Engine).
    #[wasm_bindgen]
    pub struct Engine(super::Engine);

    #[wasm_bindgen]
    impl Engine {
        /// As [`Engine::new`](super::Engine::new).
        ///
        /// # Errors
        /// As there.
        #[wasm_bindgen(constructor)]
        pub fn new(mebibytes: usize) -> Result<Engine, JsError> {
            super::Engine::new(mebibytes).map(Engine).map_err(|error| thrown(&error))
        }

        /// As [`Engine::clear`](super::Engine::clear).
        pub fn clear(&mut self) {
            self.0.clear();
        }

        /// As [`Engine::search`](super::Engine::search); `tell` is a function of one string.
        ///
        /// # Errors
        /// As there, and if `tell` is no function.
        pub fn search(&mut self, request: &str, tell: &JsValue) -> Result<String, JsError> {
            let function: &js_sys::Function =
                tell.dyn_ref().ok_or_else(|| thrown("the events of a search need a function"))?;
            // An exception in the page's function does not end the search.
            let mut tell = |event: &str| drop(function.call1(&JsValue::NULL, &JsValue::from_str(event)));
            self.0.search(request, &mut tell).map_err(|error| thrown(&error))
        }
    }
}
