//! Any bytes for the oracle of `message`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("message", bytes);
});
