//! The house rules, held by reading the sources. Each rule must catch its own sabotaged samples before it is believed.

/// Ten times over.
macro_rules! concat_lines {
    ($text:expr) => {
        concat!(
            $text, $text, $text, $text, $text, $text, $text, $text, $text, $text
        )
    };
}

mod arrows;
mod limits;
mod listed;
mod outside;
pub mod source;
pub mod token;

use std::{fs, path::Path};

use source::{Source, tree};

/// A file's path beneath the project's root, and its text.
type Sample = (&'static str, &'static str);

/// A house rule.
pub struct Rule {
    /// What it says.
    pub name: &'static str,
    /// What it looks at.
    pub check: Check,
    /// Sabotage: for a rule on files, each of these files breaks it; for a rule on the tree, they break it together.
    pub caught: &'static [Sample],
    /// Near misses, which it must let pass.
    pub passed: &'static [Sample],
}

/// What a rule looks at; it gives what is wrong.
pub enum Check {
    /// One file at a time.
    File(fn(&Source) -> Vec<String>),
    /// All files together.
    Tree(fn(&[Source]) -> Vec<String>),
}

fn rules() -> impl Iterator<Item = &'static Rule> {
    [arrows::RULES, outside::RULES, limits::RULES, listed::RULES]
        .into_iter()
        .flatten()
}

impl Rule {
    fn run(&self, sources: &[Source]) -> Vec<String> {
        match self.check {
            Check::File(check) => sources.iter().flat_map(check).collect(),
            Check::Tree(check) => check(sources),
        }
    }
}

fn sample(files: &[Sample]) -> Vec<Source> {
    let files: Vec<_> = files
        .iter()
        .map(|(p, t)| ((*p).to_owned(), (*t).to_owned()))
        .collect();
    tree(&files)
}

/// Every `.rs` file beneath a folder, by path, in order.
fn read(folder: &Path, files: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("a folder of sources")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let name = path
                .strip_prefix(root)
                .expect("beneath the root")
                .to_string_lossy()
                .into_owned();
            files.push((name, fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The project's own sources, tests included.
pub fn project() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    read(&root.join("src"), &mut files);
    read(&root.join("tests/it"), &mut files);
    assert!(files.len() > 50, "the project's sources were not found");
    tree(&files)
}

/// Every rule catches each of its sabotaged samples, and lets its near misses pass.
#[test]
fn rules_catch_sabotage() {
    for rule in rules() {
        assert!(!rule.caught.is_empty(), "{}: no sabotage", rule.name);
        match rule.check {
            Check::File(check) => {
                for sabotage in rule.caught {
                    let found = sample(&[*sabotage]).iter().flat_map(check).count();
                    assert!(found > 0, "{}: does not catch {}", rule.name, sabotage.1);
                }
            }
            Check::Tree(check) => {
                assert!(
                    !check(&sample(rule.caught)).is_empty(),
                    "{}: caught nothing",
                    rule.name
                );
            }
        }
        assert_eq!(
            rule.run(&sample(rule.passed)),
            Vec::<String>::new(),
            "{}",
            rule.name
        );
    }
}

/// The project's sources keep every house rule.
#[test]
fn sources_keep_the_rules() {
    let sources = project();
    let mut report = String::new();
    for rule in rules() {
        let found = rule.run(&sources);
        if !found.is_empty() {
            report.push_str(&format!("\n{}\n  {}\n", rule.name, found.join("\n  ")));
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Every package that `Cargo.toml` asks for is named in the sources.
#[test]
fn every_dependency_is_used() {
    let manifest = include_str!("../../Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let sources = project();
    let used = |name: &str, tests: bool| {
        let name = name.replace('-', "_");
        let own = sources
            .iter()
            .filter(|s| tests || s.path.starts_with("src/"));
        own.flat_map(|s| &s.tokens).any(|token| token.text == name)
    };
    let mut unused = Vec::new();
    for (table, tests) in [("dependencies", false), ("dev-dependencies", true)] {
        let names = manifest[table].as_table().expect("a table").keys();
        unused.extend(names.filter(|name| !used(name, tests)));
    }
    assert_eq!(unused, Vec::<&String>::new());
}
