//! Any bytes for the oracle of `amount`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("amount", bytes);
});
