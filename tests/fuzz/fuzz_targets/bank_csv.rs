//! Any bytes for the oracle of `bank_csv`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wanderbooks::fuzzing::hold("bank_csv", bytes);
});
