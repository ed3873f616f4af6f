//! Crash, power-cut, full-disk, permission and concurrency tests with real processes: the map of them, and what all share
//! in words and waits. They never switch anything on in `wb`.
//!
//! Writers are this very test program started again: `crash::writer::writes_when_ordered` does nothing unless the
//! environment orders it to write.

mod acks;
mod bundle;
mod chance;
mod concurrency;
mod disk;
mod faults;
mod ground;
mod kill;
mod output;
mod permission;
mod power;
mod recovery;
mod space;
mod surroundings;
mod writer;

use std::{
    io::Write,
    time::{Duration, Instant},
};

/// Everything that is waited for ends by then, or the test fails.
const PATIENCE: Duration = Duration::from_secs(180);

/// Says something past the capture of test output: a seed, a figure, a test that could not run here.
fn say(text: &str) {
    writeln!(std::io::stderr(), "crash: {text}").expect("standard error can be written to");
}

/// A test that cannot run here. Where everything must run, in CI, it fails instead of passing unseen.
fn skip(text: &str) {
    say(&format!("skipped: {text}"));
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!ci, "this must run where CI=true: {text}");
}

/// Waits until `done`, looking every millisecond.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
