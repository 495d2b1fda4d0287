//! Lets the fuzzer call [`sonarr_fuzz::stdio::run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sonarr_fuzz::stdio::run(bytes));
