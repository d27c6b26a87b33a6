//! Fuzz target: [`inputs::records::record`].
#![no_main]

#[allow(dead_code, reason = "every target uses one kind")]
#[path = "../../tests/common/inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::records::record(bytes));
