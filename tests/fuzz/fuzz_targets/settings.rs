//! Any bytes for the oracle of `settings`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("settings", bytes);
});
