//! Lets the fuzzer call [`sonarr_fuzz::selection::run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sonarr_fuzz::selection::run(bytes));
