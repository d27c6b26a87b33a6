//! Fuzz target: [`inputs::epd`].
#![no_main]

#[allow(dead_code, reason = "every target uses one kind")]
#[path = "../../tests/common/inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::epd(bytes));
