//! The MCP face with real books behind it and a client at the other end of two pipes.

mod calls;
mod laws;
mod order;
mod receipts;
mod start;
mod trial;

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::thread::{self, JoinHandle};

use crate::books::without_receipts;
use serde_json::{Value, json};
use tempfile::TempDir;
use wanderbooks::engine::{Books, Caller, Domain, No, OpDef, from_json, full_output_schema};
use wanderbooks::faces::mcp::{Options, serve_over, wire};
use wanderbooks::model::{Currency, Date};
use wanderbooks::registry;
use wanderbooks::store::Paths;
use wanderbooks::world::World;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// Books in a folder that goes with them.
struct House {
    folder: TempDir,
    options: Options,
}

impl House {
    /// Books with four accounts: 1000 and 1010 in the bank, 4000 revenue, 6800 expense.
    fn new(domains: &'static [&'static Domain], settings: &str) -> House {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options {
            paths: Paths::within(&folder.path().join("books")),
            domains,
            tools: None,
            read_only: false,
            underscore: false,
        };
        let house = House { folder, options };
        let usd = Currency::from_code("USD").expect("a currency");
        let by = r#"{"face":"terminal","user":"tester"}"#;
        let paths = house.options.paths.clone();
        let mut books =
            Books::create(paths, domains, house.world(), (usd, settings, by)).expect("new books");
        for (code, kind) in [
            ("1000", "asset"),
            ("1010", "asset"),
            ("4000", "revenue"),
            ("6800", "expense"),
        ] {
            let args = json!({"code": code, "name": format!("Account {code}"), "type": kind});
            let args = args.as_object().cloned().expect("an object");
            let add = operation("books.add_account");
            let (call, control) = from_json(add, args).expect("arguments");
            let caller = Caller {
                by,
                previews: None,
                answer_bytes_max: Some(usize::MAX),
            };
            let added = books.call(add, &call, &control, caller);
            added.expect("an account");
        }
        house
    }

    fn world(&self) -> World {
        let today = Date::new(2026, 11, 30).expect("a day");
        let state = Some(self.folder.path().join("state"));
        World::fixed("2026-11-30T12:00:00Z", today, state)
    }

    /// The journal, as its mirror has it.
    fn journal(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.options.paths.mirror()).expect("a mirror");
        let line = |line| serde_json::from_str(line).expect("a line of JSON");
        text.lines().map(line).collect()
    }
}

/// Books of the program's own domains, previews required, receipts not.
fn house() -> House {
    House::new(registry::DOMAINS, &without_receipts(""))
}

fn operation(tool: &str) -> &'static OpDef {
    let mut all = operations();
    all.find(|op| op.tool == tool).expect("an operation")
}

/// Every operation that is a tool.
fn operations() -> impl Iterator<Item = &'static OpDef> {
    let all = registry::DOMAINS.iter().flat_map(|d| d.operations);
    all.filter(|op| op.is_tool())
}

/// Which of the two lifecycles a client follows.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Era {
    Handshake,
    Stateless,
}

/// A client at the other end of two pipes. Every result it gets is held to the tool's own schema.
struct Client {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    server: JoinHandle<Result<(), No>>,
    era: Era,
    asked: i64,
    schemas: HashMap<String, Vec<jsonschema::Validator>>,
}

impl Client {
    /// A client of a server of these books, after the handshake of its era.
    fn of(house: &House, era: Era) -> Client {
        Client::with(house, house.options.clone(), era)
    }

    fn with(house: &House, options: Options, era: Era) -> Client {
        let (theirs, input) = io::pipe().expect("a pipe");
        let (output, ours) = io::pipe().expect("a pipe");
        let world = house.world();
        let server = thread::spawn(move || {
            let wire = wire::Wire::new(theirs, ours, wire::LINE_BYTES_MAX).expect("threads");
            serve_over(options, world, wire)
        });
        let mut client = Client {
            input: Some(input),
            output: BufReader::new(output),
            server,
            era,
            asked: 0,
            schemas: HashMap::new(),
        };
        if era == Era::Handshake {
            let opened = client.ask(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": caller()}),
            );
            assert_eq!(opened["result"]["protocolVersion"], json!("2025-11-25"));
            client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    fn say(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{message}").expect("the server reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    /// Sends a request and gives its id.
    fn begin(&mut self, method: &str, mut params: Value) -> i64 {
        self.asked += 1;
        if self.era == Era::Stateless {
            params["_meta"][VERSION] = "2026-07-28".into();
            params["_meta"][CAPABILITIES] = json!({});
            params["_meta"][CLIENT] = caller();
        }
        let id = self.asked;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn begin_call(&mut self, tool: &str, args: Value) -> i64 {
        self.begin("tools/call", json!({"name": tool, "arguments": args}))
    }

    /// Sends a request and waits for its answer, which must be the next thing said.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.hear();
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer
    }

    fn tools(&mut self) -> Vec<Value> {
        let listed = self.ask("tools/list", json!({}));
        listed["result"]["tools"].as_array().expect("tools").clone()
    }

    /// Calls a tool: its result, or its refusal.
    fn call(&mut self, tool: &str, args: Value) -> Result<Value, Value> {
        let id = self.begin_call(tool, args);
        let answer = self.hear();
        assert_eq!(answer["id"], json!(id), "{answer}");
        self.read(tool, &answer)
    }

    /// What an answer says, held to the rules of results and refusals.
    fn read(&mut self, tool: &str, answer: &Value) -> Result<Value, Value> {
        let result = &answer["result"];
        if self.era == Era::Stateless {
            assert_eq!(result["resultType"], json!("complete"), "{answer}");
        }
        let text = result["content"][0]["text"].as_str().expect("a text");
        let said: Value = serde_json::from_str(text).expect("JSON as text");
        if result["isError"] == json!(true) {
            assert_eq!(result.get("structuredContent"), None);
            assert!(said["code"].is_string() && said["message"].is_string());
            return Err(said);
        }
        assert_eq!(result["structuredContent"].to_string(), text);
        if self.schemas.is_empty() {
            for tool in self.tools() {
                let name = tool["name"].as_str().expect("a name").to_owned();
                // What the tool tells, and for tools that are not the tests' own the whole that it was made of.
                let whole = operations().find(|op| op.tool == name);
                let whole = whole.map(|op| Value::from(full_output_schema(op, registry::DOMAINS)));
                let schemas = [Some(tool["outputSchema"].clone()), whole];
                let schemas = schemas.into_iter().flatten();
                let schemas = schemas.map(|s| jsonschema::validator_for(&s).expect("a schema"));
                self.schemas.insert(name, schemas.collect());
            }
        }
        let schemas = self.schemas.get(tool).expect("a tool that is listed");
        let faults = schemas.iter().flat_map(|schema| schema.iter_errors(&said));
        let faults: Vec<String> = faults.map(|e| e.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{tool}: {said}");
        Ok(said)
    }

    /// Closes the input, and gives back how the server ended. Nothing may be left unheard.
    fn leave(mut self) -> Result<(), No> {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(rest, "");
        self.server.join().expect("the server does not panic")
    }
}

/// What the client says of itself: more, and worse, than a journal should hold.
fn caller() -> Value {
    json!({"name": "te\u{202e}st \"x\"", "version": "9".repeat(200)})
}

fn line(entry_id: i64, account: &str, side: &str, amount: &str) -> Value {
    json!({"entry_id": entry_id, "account": account, "side": side, "amount": amount})
}
