//! Hostile text that came from outside (bank files, charts, histories, names of receipts) and was kept: what every answer makes of it.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::corpus::{CANARY, corpus, must_be_harmless, must_be_own, must_be_plain};
use crate::stage::{Said, Stage};

/// A cell of CSV, in quotes.
fn cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn bank(place: usize, csv: &str) -> Value {
    let args = json!({"csv_text": csv, "bank_account_code": "1000", "default_offset_code": "6800"});
    let mut args = args;
    if place == 3 {
        args["columns"] = json!({"date": "Date", "description": "Description", "amount": "Amount", "bank_id": "Id"});
    }
    args
}

/// Bank files that hold a text in each of their places: description, header, amount, date, the bank's id, the whole file.
fn bank_files(number: usize, text: &str) -> Vec<Value> {
    let (cell, amount) = (cell(text), format!("-{}.17", 1 + number % 20));
    let day = format!("01/{:02}/2026", 1 + number % 14);
    let head = "Date,Description,Amount";
    vec![
        bank(0, &format!("{head}\n{day},{cell},{amount}\n")),
        bank(1, &format!("{head},{cell}\n{day},Shop,{amount},{cell}\n")),
        bank(
            2,
            &format!("{head}\n{day},Shop,{cell}\n{cell},Shop,{amount}\n"),
        ),
        bank(3, &format!("{head},Id\n{day},{cell},{amount},{cell}\n")),
        bank(4, &format!("{head}\n{day},{text},{amount}\n")),
        bank(5, text),
    ]
}

/// Charts that hold a text in each of their places.
fn chart_files(number: usize, text: &str) -> Vec<Value> {
    let (cell, head) = (cell(text), "code,name,type,parent_code");
    let rows = [
        format!("{head}\n7{number:03},{cell},expense,\n"),
        format!("{head}\n{cell},Name,expense,\n"),
        format!("{head}\n8{number:03},Name,{cell},\n"),
        format!("{head}\n8{number:03},Name,expense,{cell}\n"),
        format!("{head},{cell}\n8{number:03},Name,expense,,{cell}\n"),
    ];
    rows.iter().map(|csv| json!({"csv_text": csv})).collect()
}

/// Files with a text as their name, as what is in them, and as what is said of them.
fn receipts(text: &str) -> Vec<Value> {
    let content = BASE64.encode(text.as_bytes());
    let plain = BASE64.encode(b"Paper 12.00\n");
    vec![
        json!({"file_name": text, "content_base64": plain}),
        json!({"file_name": "r.txt", "content_base64": content}),
        json!({"file_name": text, "content_base64": content, "mime_type": "image/png"}),
        json!({"file_name": text, "content_base64": ""}),
    ]
}

fn call(tool: &str, args: Value) -> (&'static str, Value) {
    ("tools/call", json!({"name": tool, "arguments": args}))
}

/// Everything that comes from outside, each text in each place, twice where what is known already is told again.
fn poison() -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for (number, text) in corpus().iter().enumerate() {
        let of = |tool: &'static str, all: Vec<Value>| all.into_iter().map(move |a| call(tool, a));
        calls.extend(of("books.import_bank_csv", bank_files(number, text)));
        calls.extend(of("books.import_bank_csv", bank_files(number, text)).take(1));
        calls.extend(of("books.import_chart_csv", chart_files(number, text)));
        calls.extend(of("books.import_chart_csv", chart_files(number, text)).take(1));
        calls.extend(of("books.attach_receipt", receipts(text)));
    }
    calls
}

/// What can be asked of the books, and refused by them, once the texts are in them.
fn questions(entries: &[i64], receipts: i64, codes: &[String]) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for id in entries {
        let line = json!({"entry_id": id, "account": "1000", "side": "debit", "amount": "90.00"});
        calls.extend([
            call("books.get_entry", json!({"entry_id": id})),
            call("books.post_entry", json!({"entry_id": id})),
            call(
                "books.post_entry",
                json!({"entry_id": id, "confirmed": true}),
            ),
            call("books.add_line", line),
            call("books.post_entry", json!({"entry_id": id})),
            call(
                "books.remove_line",
                json!({"entry_id": id, "line_index": 9}),
            ),
            call(
                "books.remove_line",
                json!({"entry_id": id, "line_index": 2}),
            ),
            call(
                "books.reverse_entry",
                json!({"entry_id": id, "date": "2026-01-15"}),
            ),
            call(
                "books.update_draft",
                json!({"entry_id": id, "date": "2026-01-31"}),
            ),
            call(
                "books.discard_draft",
                json!({"entry_id": id, "preview": true}),
            ),
            call(
                "books.link_receipt",
                json!({"receipt_id": 1, "entry_id": id}),
            ),
            call("books.list_receipts", json!({"entry_id": id})),
        ]);
    }
    for id in 1..=receipts {
        calls.push(call("books.get_receipt", json!({"attachment_id": id})));
        let uri = format!("books://receipts/{id}");
        calls.push(("resources/read", json!({"uri": uri})));
    }
    calls.extend(about_accounts(codes));
    calls.extend(whole());
    calls
}

/// What can be asked of accounts, and refused.
fn about_accounts(codes: &[String]) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for code in codes {
        let draft = json!({"date": "2026-01-15", "description": "x", "lines": [{"account": code, "side": "debit", "amount": "1.00"}], "preview": true});
        calls.extend([
            call("books.account_register", json!({"account": code})),
            call(
                "books.renumber_account",
                json!({"account": code, "code": "1000"}),
            ),
            call(
                "books.add_account",
                json!({"code": "9999", "name": "N", "type": "asset", "parent": code}),
            ),
            call(
                "books.update_account",
                json!({"account": code, "archived": true}),
            ),
            call("books.draft_entry", draft),
            call(
                "books.update_account",
                json!({"account": code, "archived": false, "placeholder": true}),
            ),
        ]);
    }
    calls
}

/// What is asked of all the books.
fn whole() -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        call("books.search_entries", json!({"text": "zxq", "limit": 100})),
        call(
            "books.search_entries",
            json!({"text": CANARY, "limit": 100, "offset": 100}),
        ),
        call("books.list_receipts", json!({"limit": 100})),
        call("books.account_register", json!({"account": "1000"})),
        call("books.profit_and_loss", json!({})),
        call("books.settings", json!({})),
        call("books.verify", json!({})),
    ];
    for uri in [
        "chart",
        "reports/trial-balance",
        "reports/balance-sheet",
        "reports/profit-and-loss",
        "digest",
    ] {
        calls.push(("resources/read", json!({"uri": format!("books://{uri}")})));
    }
    for tool in ["chart", "trial_balance", "balance_sheet", "digest"] {
        calls.push(call(&format!("books.{tool}"), json!({})));
    }
    calls
}

fn held(lines: &[String], calls: &[(&str, Value)]) -> Vec<Value> {
    let hold = |(line, call): (&String, &(&str, Value))| {
        let what: String = call.1.to_string().chars().take(400).collect();
        must_be_harmless(line, true, &what)
    };
    lines.iter().zip(calls).map(hold).collect()
}

/// What was taken among these answers.
fn taken(results: &[Value]) -> usize {
    results
        .iter()
        .filter(|result| result["isError"] == json!(false))
        .count()
}

/// Numbers or codes of a list in an answer.
fn listed<'a>(answer: &'a Value, list: &str, key: &str) -> Vec<&'a Value> {
    let items = answer["structuredContent"][list]
        .as_array()
        .expect("a list");
    items.iter().map(|item| &item[key]).collect()
}

/// Books of four accounts into which every text came from outside, with what the tools said of it held to the rules.
fn poisoned() -> Stage {
    let stage = Stage::small();
    let calls = poison();
    let results = held(&stage.asked(calls.clone()), &calls);
    let count = taken(&results);
    assert!(
        count > 300 && count < results.len(),
        "{count} of {}",
        results.len()
    );
    stage
}

/// T17, A1 over MCP: what came from outside stands in data only, whatever is asked of the books or refused by them after it.
#[test]
fn the_tools_say_no_word_from_outside() {
    let stage = poisoned();
    let search = |offset: i64| {
        call(
            "books.search_entries",
            json!({"limit": 100, "offset": offset}),
        )
    };
    let asked = vec![
        search(0),
        search(100),
        call("books.chart", json!({})),
        call("books.list_receipts", json!({})),
    ];
    let found = held(&stage.asked(asked.clone()), &asked);
    let mut entries = Vec::new();
    for answer in &found[..2] {
        entries.extend(
            listed(answer, "entries", "entry_id")
                .iter()
                .filter_map(|id| id.as_i64()),
        );
    }
    let codes: Vec<String> = listed(&found[2], "accounts", "code")
        .iter()
        .filter_map(|c| c.as_str())
        .map(str::to_owned)
        .collect();
    let receipts = found[3]["structuredContent"]["total"]
        .as_i64()
        .expect("a count");
    assert!(
        entries.len() > 100 && codes.len() > 25 && receipts > 50,
        "{} {} {receipts}",
        entries.len(),
        codes.len()
    );
    let questions = questions(&entries[..100], receipts, &codes);
    let results = held(&stage.asked(questions.clone()), &questions);
    let count = taken(&results);
    assert!(
        count > 500 && count < results.len(),
        "{count} of {}",
        results.len()
    );
}

/// Holds what the terminal says to the rules.
fn plain(stage: &Stage, screen: Option<usize>, line: &str) -> Said {
    let said = stage.on(screen, line);
    // The lines of a table for spreadsheets end in both (RFC 4180).
    must_be_plain(&said.out.replace("\r\n", "\n"), line);
    must_be_plain(&said.err, line);
    if let Ok(answer) = serde_json::from_str::<Value>(&said.out) {
        must_be_own(&answer, true, line);
        must_be_own(&answer["error"], true, line);
    }
    said
}

/// T17, A1 on the terminal: no list, page, report or refusal shows a hidden character of what came from outside.
#[test]
fn the_terminal_shows_nothing_hidden() {
    let stage = poisoned();
    for line in [
        "entry search --limit 1000",
        "entry search zxq --limit 1000 --csv",
        "chart list",
        "chart list --csv",
        "receipt list",
        "account register 1000",
        "account register 1000 --csv",
        "report trial-balance",
        "report profit-and-loss",
        "digest",
        "settings show",
        "verify",
    ] {
        plain(&stage, None, line);
        plain(&stage, Some(80), line);
        plain(&stage, None, &format!("{line} --json"));
    }
    for id in 1..=40 {
        plain(&stage, None, &format!("entry show {id}"));
        plain(&stage, Some(60), &format!("entry post {id} --confirm"));
        plain(&stage, None, &format!("entry post {id} --confirm --json"));
        plain(&stage, None, &format!("receipt link {id} {id}"));
    }
}

/// T17, A1: files with each text in them and as their own names, read by the commands: neither a fault list nor a preview says
/// a word of them or shows a hidden character.
#[test]
fn files_of_the_terminal() {
    let stage = Stage::small();
    let mut taken = 0;
    for (number, text) in corpus().iter().enumerate() {
        let row = |description: &str, account: &str| {
            let lines = json!([{"account": account, "amount": "9.00"}, {"account": "1000", "amount": "-9.00"}]);
            json!({"date": "2025-03-31", "description": description, "lines": lines}).to_string()
        };
        stage.put("a.jsonl", format!("{}\n", row(text, "6800")));
        stage.put(
            "b.jsonl",
            format!(
                "{}\n{}\n{{\"{text}\": 1}}\n{text}\n",
                row("x", text),
                row(text, "1")
            ),
        );
        stage.put(
            "a.csv",
            bank_files(number, text)[0]["csv_text"]
                .as_str()
                .expect("a text"),
        );
        stage.put(
            "b.csv",
            bank_files(number, text)[2]["csv_text"]
                .as_str()
                .expect("a text"),
        );
        stage.put(
            "c.csv",
            chart_files(number, text)[3]["csv_text"]
                .as_str()
                .expect("a text"),
        );
        let json = if number % 2 == 0 { " --json" } else { "" };
        for line in [
            "import journal {here}/a.jsonl --preview",
            "import journal {here}/b.jsonl --confirm",
            "import bank-csv {here}/a.csv --account 1000 --offset 6800 --preview",
            "import bank-csv {here}/b.csv --account 1000 --offset 6800",
            "chart import {here}/c.csv",
        ] {
            taken += usize::from(plain(&stage, None, &format!("{line}{json}")).exit == 0);
        }
        let name: String = text.replace(['/', '\0'], "_").chars().take(60).collect();
        stage.put(&name, "Paper 12.00\n");
        let path = stage.here().join(&name).to_string_lossy().into_owned();
        let books = stage.books().to_string_lossy().into_owned();
        let words = ["--books", &books, "receipt", "attach", "--", &path].map(str::to_owned);
        let said = stage.run(words.to_vec());
        must_be_plain(&said.out, &name);
        must_be_plain(&said.err, &name);
        taken += usize::from(said.exit == 0);
    }
    assert!(taken > 100, "{taken}");
}
