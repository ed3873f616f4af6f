//! Any bytes for the oracle of `date`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("date", bytes);
});
