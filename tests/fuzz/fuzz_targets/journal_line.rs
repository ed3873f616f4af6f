//! Any bytes for the oracle of `journal_line`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("journal_line", bytes);
});
