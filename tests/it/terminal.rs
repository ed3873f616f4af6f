//! The terminal as people and scripts meet it: what is refused at the door, what a screen may get, how a command ends.

mod asked;
mod ends;
mod paths;
mod pty;
mod questions;
mod screen;
mod strict;
mod widths;
mod words;
