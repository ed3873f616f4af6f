//! Chance from a seed that is printed, so that a failing run can be repeated. Not for secrets.

use std::hash::{BuildHasher, RandomState};

/// A small generator (xorshift64*).
pub struct Chance(u64);

impl Chance {
    /// Chance from a seed.
    pub fn of(seed: u64) -> Chance {
        Chance(seed | 1)
    }

    /// Chance from `CRASH_SEED`, else from a new seed; says which.
    pub fn new(test: &str) -> Chance {
        let given = std::env::var("CRASH_SEED")
            .ok()
            .and_then(|s| s.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one(test) >> 16);
        super::say(&format!("{test}: CRASH_SEED={seed}"));
        Chance::of(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number from `low` up to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }
}
