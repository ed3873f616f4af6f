//! The gallery of refusals: for each code of the page of refusals a session that provokes it, with the exact message, or the
//! test that provokes what a command line cannot.
//!
//! In `tests/gallery`, `# CODE` begins a case on small books of its own, and its last command is the one refused; `# CODE in
//! FILE::TEST` names a test instead, and `# CODE in no test: WHY` says why there is none.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use crate::{
    script::{play, steps},
    stage::Stage,
};
use wanderbooks::{
    engine::{Books, No},
    faces::terminal::{self, Console},
    model::{Currency, Date},
    registry::DOMAINS,
    store::{Paths, StoreError},
    world::World,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The cases of the gallery by their codes: what follows the code on its line, and the session.
fn cases() -> BTreeMap<String, (String, String)> {
    let folder = fs::read_dir(root().join("tests/gallery")).expect("the gallery");
    let mut paths: Vec<PathBuf> = folder.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut cases = BTreeMap::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a page of the gallery");
        for case in format!("\n{text}").split("\n# ").skip(1) {
            let (title, session) = case.split_once('\n').unwrap_or((case, ""));
            let (code, elsewhere) = title.split_once(" in ").unwrap_or((title, ""));
            let case = (elsewhere.to_owned(), session.to_owned());
            let earlier = cases.insert(code.to_owned(), case);
            assert_eq!(earlier, None, "{code} stands twice");
        }
    }
    cases
}

/// Every code of the page of refusals has its case, and there is no case of another code.
#[test]
fn the_gallery_is_complete() {
    let page = root().join("docs/reference/refusals.md");
    let page = fs::read_to_string(page).expect("the page of refusals");
    let mut listed: Vec<String> = page
        .lines()
        .filter_map(|row| row.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    listed.sort();
    let shown: Vec<String> = cases().into_keys().collect();
    assert_eq!(shown, listed);
}

/// Every session ends with the refusal that it is named for, worded as it stands there, and the refusal changes nothing.
#[test]
fn refusals_say_what_they_say() {
    let mut wrong = String::new();
    for (code, (_, session)) in cases().into_iter().filter(|(_, case)| case.0.is_empty()) {
        let stage = Stage::small();
        let mut steps = steps(&session);
        let last = steps
            .pop()
            .unwrap_or_else(|| panic!("{code} has no command"));
        for step in &steps {
            assert_eq!(
                play(&stage, step),
                step.expected,
                "{code}: {}",
                step.command
            );
        }
        let before = stage.picture();
        let said = play(&stage, &last);
        let json = stage.wb(&format!(
            "{} --json",
            last.command.trim_start_matches("$ wb ")
        ));
        let found = json.json()["error"]["code"].clone();
        if found != code.as_str() || said != last.expected {
            wrong.push_str(&format!("# {code} ({found})\n{}\n{said}\n", last.command));
        }
        assert!(before == stage.picture(), "{code} changed something");
    }
    assert_eq!(wrong, "", "not as written");
}

/// Where the gallery names a test, that test is there and knows the code.
#[test]
fn tests_named_by_the_gallery_exist() {
    for (code, (elsewhere, _)) in cases().into_iter().filter(|(_, case)| !case.0.is_empty()) {
        if elsewhere.starts_with("no test: ") {
            continue;
        }
        let (file, test) = elsewhere.split_once("::").expect("FILE::TEST");
        let text = fs::read_to_string(root().join(file));
        let text = text.unwrap_or_else(|e| panic!("{code}: {file}: {e}"));
        let found = text.find(&format!("fn {test}("));
        let found = found.unwrap_or_else(|| panic!("{code}: {file} has no test {test}"));
        let (before, after) = text.split_at(found);
        assert!(
            before.trim_end().ends_with("#[test]"),
            "{code}: {test} is no test"
        );
        let end = after.find("\n}\n").or(after.find("\n    }\n"));
        let body = &after[..end.unwrap_or(after.len())];
        let word: Vec<String> = code
            .split('_')
            .map(|w| w[..1].to_uppercase() + &w[1..])
            .collect();
        let constant = code
            .trim_start_matches("bank_csv_")
            .trim_start_matches("import_")
            .to_uppercase();
        let named = [format!("\"{code}\""), constant, word.concat()];
        assert!(
            named.iter().any(|name| body.contains(name)),
            "{code}: {test} does not know it"
        );
    }
}

/// What the settings of new books are refused for: the codes of the first fault and of the last.
fn settings_refused(text: &str) -> (String, String) {
    let stage = Stage::empty();
    let usd = Currency::from_code("USD").expect("a currency");
    let today = Date::new(2026, 1, 15).expect("a day");
    let world = World::fixed("2026-01-15T12:00:00Z", today, None);
    let paths = Paths::within(&stage.books());
    let made = Books::create(paths, DOMAINS, world, (usd, text, "{}"));
    let Err(No::Refused(refusals)) = made else {
        panic!("refused: {text}");
    };
    let code = |place: usize| refusals[place].code.to_string();
    (code(0), code(refusals.len() - 1))
}

/// A settings file's faults have codes of their own, which the person sees joined under `settings_unreadable`.
#[test]
fn settings_are_refused_by_code() {
    let one = |code: &str| (code.to_owned(), code.to_owned());
    assert_eq!(settings_refused("[company"), one("bad_settings"));
    assert_eq!(
        settings_refused("[mcp]\nrequire_preview = \"yes\"\n"),
        one("bad_setting")
    );
    assert_eq!(
        settings_refused("[company]\ncolour = \"red\"\n"),
        one("unknown_setting")
    );
    let many: String = (0..101).map(|n| format!("[colour{n}]\nx = 1\n")).collect();
    let expected = ("unknown_setting".to_owned(), "more_faults".to_owned());
    assert_eq!(settings_refused(&many), expected);
}

/// What only a failing commit or a fault of the program makes is worded by the engine, and tells what to do.
#[test]
fn what_no_test_can_provoke() {
    let unknown = No::from(StoreError::OutcomeUnknown("the commit failed".to_owned())).to_value();
    assert_eq!(unknown["code"], "outcome_unknown");
    let hint = "start again and repeat the call with the same request_key: it is then done once";
    assert_eq!(unknown["remedy_hint"], hint);
    assert_eq!(No::Refused(Vec::new()).to_value()["code"], "refused");
}

/// An output that takes no byte.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A result that cannot be written is told on standard error, with the exit code of what is unavailable (`output_failed`).
#[test]
fn a_full_disk_under_the_output() {
    let stage = Stage::small();
    let file = stage.here().join("errors");
    let errors = fs::File::create(&file).expect("a file");
    let mut console = Console::kept(Box::new(Full), Box::new(errors));
    let args = [
        "wb",
        "--books",
        &stage.books().to_string_lossy(),
        "chart",
        "list",
    ]
    .map(Into::into);
    let today = Date::new(2026, 1, 15).expect("a day");
    let world = World::fixed("2026-01-15T12:00:00Z", today, None);
    let exit = terminal::run(args.to_vec(), DOMAINS, &world, &mut console);
    assert_eq!(exit.code(), 4, "output_failed is unavailable");
    let told = fs::read_to_string(file).expect("a file");
    let full = io::Error::from(io::ErrorKind::StorageFull);
    assert_eq!(told, format!("wb: writing the result: {full}\n"));
    // Its code, "output_failed", has no program to read it: refusals as JSON go to the same output, so that words are all
    // that is told.
}

/// Books that another program holds for writing are `unavailable`, said after the wait for it.
#[test]
fn locked_books_are_unavailable() {
    let stage = Stage::small();
    let db = Connection::open(Paths::within(&stage.books()).database()).expect("a database");
    db.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    let said = stage.wb("entry draft --date 2026-01-05 Tea --json");
    assert_eq!(said.exit, 4, "{said:?}");
    assert_eq!(said.json()["error"]["code"], "unavailable");
    db.execute_batch("ROLLBACK").expect("the lock goes");
    stage.must("entry draft --date 2026-01-05 Tea");
}

/// A chart that is not text is refused, and nothing is added.
#[test]
fn charts_are_text() {
    let stage = Stage::small();
    stage.put(
        "chart.csv",
        b"code,name,type,parent_code\n7000,\0,expense,\n",
    );
    let said = stage.wb("chart import {here}/chart.csv --json");
    assert_eq!(
        said.json()["error"]["code"],
        "chart_csv_not_text",
        "{said:?}"
    );
}

/// A history of more entries than one import takes is refused.
#[test]
fn long_histories_are_refused() {
    let stage = Stage::small();
    stage.put("history.jsonl", "{}\n".repeat(2_000_001));
    let said = stage.wb("import journal {here}/history.jsonl --json");
    let error = &said.json()["error"];
    let message = "the file has 2000001 lines; at most 2000000 are imported at once";
    assert_eq!(error["code"], "journal_too_long", "{said:?}");
    assert_eq!(error["message"], message);
}
