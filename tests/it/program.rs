//! The built program in a fresh place: on the PATH of a shell, and at the other end of an MCP client's pipes. What
//! documents and examples say is held by the pages that use it.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder of its own with `wb` on the PATH, the repository's `examples` in it, and its own home and state.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).expect("a folder");
        symlink(env!("CARGO_BIN_EXE_wb"), bin.join("wb")).expect("a link");
        symlink(root().join("examples"), folder.path().join("examples")).expect("a link");
        Place { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Books of a partnership in a folder of this place.
    pub fn books(&self, name: &str) -> PathBuf {
        let script = format!(
            "wb init {name} --no-input -q --company Test --entity partnership --owner A --owner B"
        );
        self.must(&script);
        self.path().join(name)
    }

    /// What a bash script does here.
    pub fn bash(&self, script: &str) -> Output {
        let mut command = self.command("bash");
        command
            .args(["-c", script])
            .output()
            .expect("bash is there")
    }

    /// What a bash script that must succeed prints.
    pub fn must(&self, script: &str) -> String {
        let output = self.bash(script);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}\n{said}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// A client's configuration of one server: its command, arguments and environment. The server must answer both a
    /// handshake and a discovery, and list its tools, whose number is given.
    pub fn serves(&self, server: &Value, books: &Path) -> usize {
        let real = |text: &Value| {
            let text = text.as_str().expect("a text");
            let text = text.replace("/path/to/wb", env!("CARGO_BIN_EXE_wb"));
            text.replace("/path/to/books", &books.to_string_lossy())
        };
        let handshake = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}),
        ];
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}});
        let stateless = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta.clone()}}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}}),
        ];
        let counts = [&handshake[..], &stateless[..]].map(|messages| {
            let mut command = self.command(&real(&server["command"]));
            for arg in server["args"].as_array().into_iter().flatten() {
                command.arg(real(arg));
            }
            for (name, value) in server["env"].as_object().into_iter().flatten() {
                command.env(name, real(value));
            }
            let answers = talk(command, messages);
            assert!(
                answers[0]["result"]["instructions"].is_string(),
                "{answers:?}"
            );
            let tools = answers[1]["result"]["tools"].as_array();
            tools.map_or(0, Vec::len)
        });
        assert_eq!(counts[0], counts[1], "{server}");
        assert!(counts[0] > 0, "{server}");
        counts[0]
    }

    fn command(&self, program: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command
            .current_dir(self.path())
            .env("PATH", format!("{}/bin:{path}", self.path().display()))
            .env("HOME", self.path())
            .env("XDG_STATE_HOME", self.path().join("state"))
            .env_remove("WB_BOOKS");
        command
    }
}

/// Sends messages, closes the input, and gives the answers by their ids.
fn talk(mut command: Command, messages: &[Value]) -> Vec<Value> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut server = command.spawn().expect("the server starts");
    let mut input = server.stdin.take().expect("an input");
    for message in messages {
        writeln!(input, "{message}").expect("the server reads");
    }
    drop(input);
    let output = server.wait_with_output().expect("the server ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers.len(), 2, "{text}{said}");
    answers
}

/// The servers of a client's configuration, in JSON or TOML.
pub fn servers(text: &str, language: &str) -> Vec<Value> {
    let config: Value = match language {
        "json" => serde_json::from_str(text).expect("JSON"),
        "toml" => toml::from_str(text).expect("TOML"),
        _ => panic!("no configuration language: {language}"),
    };
    let servers = config.get("mcpServers").or(config.get("mcp_servers"));
    let servers = servers.and_then(Value::as_object).expect("servers");
    servers.values().cloned().collect()
}

/// The server that a `claude mcp add NAME -- COMMAND ARG…` line names.
pub fn added(line: &str) -> Value {
    let (_, words) = line.split_once(" -- ").expect("a command after --");
    let mut words = words.split_whitespace();
    json!({"command": words.next(), "args": words.collect::<Vec<_>>()})
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the repository.
pub fn file(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}
