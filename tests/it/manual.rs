//! The generated files are fresh, and the page of refusals names exactly the codes that the sources use. `UPDATE=1` writes
//! the files anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use wanderbooks::{
    faces::{
        manual::{FOLDERS, HAND_KEPT, files},
        terminal,
    },
    registry::DOMAINS,
};

use crate::tidy::{self, source::Source, token::Kind};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generated() -> BTreeMap<PathBuf, Vec<u8>> {
    let pages = files(terminal::command(DOMAINS), DOMAINS).expect("the pages can be made");
    let count = pages.len();
    let pages: BTreeMap<_, _> = pages.into_iter().collect();
    assert_eq!(pages.len(), count, "two pages have one name");
    pages
}

/// The files of a folder and beneath it. A folder that is not there has none.
fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            let name = path
                .strip_prefix(root())
                .expect("beneath the root")
                .to_owned();
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
}

fn present() -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in FOLDERS {
        walk(&root().join(folder), &mut found);
    }
    found.retain(|path, _| !HAND_KEPT.iter().any(|kept| path == Path::new(kept)));
    found
}

fn update(expected: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, _) in present()
        .iter()
        .filter(|(path, _)| !expected.contains_key(*path))
    {
        fs::remove_file(root().join(path)).expect("a stray file goes");
    }
    for (path, bytes) in expected {
        let path = root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        fs::write(path, bytes).expect("a page is written");
    }
}

/// Every generated file of the repository is what the registry and the command tree make of it, and no other file is there.
#[test]
fn generated_files_are_fresh() {
    let expected = generated();
    if std::env::var_os("UPDATE").is_some() {
        update(&expected);
    }
    let found = present();
    let stale = expected
        .iter()
        .filter(|(path, bytes)| found.get(*path) != Some(*bytes));
    let stray = found.keys().filter(|path| !expected.contains_key(*path));
    let wrong: Vec<&PathBuf> = stale.map(|(path, _)| path).chain(stray).collect();
    assert!(
        wrong.is_empty(),
        "run this test with UPDATE=1; not as generated: {wrong:#?}"
    );
}

/// Making the files twice gives the same bytes, no page is empty, and none holds a path of the machine.
#[test]
fn generation_is_repeatable() {
    let once = generated();
    assert_eq!(once, generated());
    for (path, bytes) in &once {
        let text = String::from_utf8_lossy(bytes);
        assert!(text.len() > 40, "{} says nothing", path.display());
        let here = root().to_string_lossy();
        assert!(
            !text.contains(here.as_ref()),
            "{} names this machine",
            path.display()
        );
    }
}

/// The texts that constants of these sources stand for; two files of a domain may each have one of that name.
fn constants(sources: &[Source]) -> BTreeMap<(&str, &str), Vec<&str>> {
    let mut found: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for w in source.tokens.windows(7) {
            let text = w[0].text == "const" && w[3].text == "&" && w[4].text == "str";
            if text && w[6].kind == Kind::Text {
                let key = (source.domain().unwrap_or_default(), w[1].text.as_str());
                found.entry(key).or_default().push(w[6].text.as_str());
            }
        }
    }
    found
}

/// Functions whose first argument is the code of the refusal that they make.
const REFUSING: &[&str] = &["refuse", "settle", "differ"];

/// What a source names as a refusal's code: the first argument of `Refusal::new`, `Refused::new`, `StoreError::Refused` and
/// of what refuses, as a text or a constant; a `code` written into JSON; and a code beside its message.
fn codes<'s>(source: &'s Source, known: &BTreeMap<(&str, &str), Vec<&'s str>>) -> Vec<&'s str> {
    let mut found = Vec::new();
    for w in source.tokens.windows(3) {
        if w[0].kind == Kind::Text
            && w[0].text == "code"
            && w[1].text == ":"
            && w[2].kind == Kind::Text
        {
            found.push(w[2].text.as_str());
        }
    }
    for w in source.tokens.windows(5) {
        let pair = ["{", ";", "="].contains(&w[0].text.as_str()) && w[1].text == "(";
        if pair && w[2].kind == Kind::Text && w[3].text == "," && w[4].text == "message" {
            found.push(w[2].text.as_str());
        }
    }
    for (at, token) in source.tokens.iter().enumerate().skip(2) {
        let before = (
            source.tokens[at - 2].text.as_str(),
            source.tokens[at - 1].text.as_str(),
        );
        let made = token.text == "new" && matches!(before, ("Refusal" | "Refused", "::"));
        let opens = source.tokens.get(at + 1).is_some_and(|t| t.text == "(");
        let refused = token.text == "Refused" && before == ("StoreError", "::");
        let refuses = REFUSING.contains(&token.text.as_str());
        if !(opens && (made || refused || refuses)) {
            continue;
        }
        let argument = source.tokens[at + 2..].iter();
        let argument = argument.take_while(|t| ![",", ")"].contains(&t.text.as_str()));
        let Some(code) = argument.last() else {
            continue;
        };
        let constant = known.get(&(source.domain().unwrap_or_default(), code.text.as_str()));
        match code.kind {
            Kind::Text => found.push(code.text.as_str()),
            // A name that is no constant is a parameter: its caller names the code.
            _ => found.extend(constant.into_iter().flatten().copied()),
        }
    }
    found
}

/// The page of refusals has a row for every code in use and for none besides, in order, each with its when and what to do.
#[test]
fn refusals_are_listed() {
    let sources = tidy::project();
    let known = constants(&sources);
    let used: BTreeSet<&str> = sources
        .iter()
        .filter(|s| !s.test)
        .flat_map(|s| codes(s, &known))
        .collect();
    let page = fs::read_to_string(root().join("docs/reference/refusals.md")).expect("the page");
    let mut listed = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(
            cells.len() == 3 && cells.iter().all(|cell| !cell.is_empty()),
            "{row}"
        );
        listed.push(cells[0].trim_matches('`').to_owned());
    }
    assert_eq!(listed, used.into_iter().collect::<Vec<_>>());
}
