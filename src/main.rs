//! Picks a face and returns its exit code.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
