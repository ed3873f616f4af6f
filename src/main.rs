//! Picks a face and returns its exit code.

use std::process::ExitCode;

use wanderbooks::{
    faces::terminal::{self, Console},
    registry::DOMAINS,
    world::World,
};

fn main() -> ExitCode {
    // Answers and ends only when a shell asks for completions.
    clap_complete::CompleteEnv::with_factory(|| terminal::command(DOMAINS)).complete();
    let world = World::real();
    let mut console = Console::real(&world);
    let args = std::env::args_os().collect();
    ExitCode::from(terminal::run(args, DOMAINS, &world, &mut console).code())
}
