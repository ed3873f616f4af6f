//! How the built program ends in surroundings that are not as they should be: no fault of its own, and nothing left behind.

use std::{
    ffi::OsStr,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::stage::Stage;

fn wb(here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command
        .env_clear()
        .env("HOME", here)
        .current_dir(here)
        .stdin(Stdio::null());
    command
}

fn ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

/// A home that is no absolute path is not written to: the command says what to set, and the working folder stays as it was.
#[test]
fn relative_homes_are_not_used() {
    let stage = Stage::small();
    let here = stage.here().join("work");
    std::fs::create_dir(&here).expect("a folder");
    for (home, state) in [("home", ""), (".", "state"), ("../work", "x")] {
        for verb in [&["chart", "list"][..], &["mcp", "serve"], &["demo"]] {
            let mut command = wb(&here);
            command.env("HOME", home).env("XDG_STATE_HOME", state);
            let output = command
                .arg("--books")
                .arg(stage.books())
                .args(verb)
                .output()
                .expect("it runs");
            ends(&output, 4);
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("XDG_STATE_HOME"), "{told}");
            let left = std::fs::read_dir(&here).expect("a folder").count();
            assert_eq!(left, 0);
        }
    }
}

/// Arguments that are no text are a wrong command line, wherever they stand.
#[test]
fn arguments_may_be_any_bytes() {
    let stage = Stage::small();
    let odd = OsStr::from_bytes(b"\xff\xfe");
    for verb in [
        "entry show",
        "entry draft x --date",
        "call",
        "",
        "help",
        "account register",
    ] {
        let mut command = wb(stage.here());
        command.arg("--books").arg(stage.books());
        let output = command.args(verb.split_whitespace()).arg(odd).output();
        ends(&output.expect("it runs"), 2);
    }
}

/// A working folder that is gone, and one in which nothing may be made, are no fault of the program.
#[test]
fn working_folders_may_be_unfit() {
    let stage = Stage::small();
    let gone = stage.here().join("gone");
    std::fs::create_dir(&gone).expect("a folder");
    let script = format!(
        "rmdir {0} && {1} chart list",
        gone.display(),
        env!("CARGO_BIN_EXE_wb")
    );
    let mut command = Command::new("sh");
    command
        .env_clear()
        .env("HOME", stage.here())
        .current_dir(&gone);
    let output = command
        .args(["-c", &script])
        .env("PATH", "/usr/bin:/bin")
        .output();
    ends(&output.expect("it runs"), 4);
    let closed = stage.here().join("closed");
    std::fs::create_dir(&closed).expect("a folder");
    let mode = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(&closed, mode).expect("closed");
    if std::fs::write(closed.join("probe"), "").is_ok() {
        // Whoever may write everywhere cannot be shut out.
        return;
    }
    let init = [
        "init",
        "new",
        "--company",
        "A",
        "--entity",
        "sole_proprietorship",
    ];
    for verb in [&["demo"][..], &init, &["backup", "b"]] {
        let mut command = wb(&closed);
        command.env("HOME", stage.here()).args(verb);
        if verb == ["backup", "b"] {
            command.arg("--books").arg(stage.books());
        }
        ends(&command.output().expect("it runs"), 4);
    }
}

/// A reader of the results that has gone ends a command quietly, whatever it was to print.
#[test]
fn readers_may_go() {
    let stage = Stage::small();
    for verb in [
        "chart list",
        "chart list --json",
        "--help",
        "help entry",
        "ops",
        "chart list --csv",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = wb(stage.here());
        command.arg("--books").arg(stage.books());
        command.args(verb.split(' ')).stdout(writer);
        let output = command.output().expect("it runs");
        ends(&output, 0);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{verb}");
    }
}
