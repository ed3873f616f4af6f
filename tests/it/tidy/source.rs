//! A source file as the house rules see it: its tokens without tests, and every name it uses, spelled out from its root.

use std::collections::{BTreeMap, BTreeSet};

use super::token::{Comment, Kind, Token, read};

/// A name that a file uses, from `crate` or from the crate it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its segments.
    pub path: Vec<String>,
    /// Its line.
    pub line: usize,
    /// Where its first token stands among the file's tokens.
    pub at: usize,
}

impl Name {
    /// Whether it is `path` or lies in it.
    pub fn is_in(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split("::").collect();
        self.path.len() >= parts.len() && parts.iter().zip(&self.path).all(|(a, b)| a == b)
    }

    /// Its spelling.
    pub fn spelled(&self) -> String {
        self.path.join("::")
    }
}

/// A source file.
pub struct Source {
    /// Its path beneath the project's root, `src/model/date.rs`.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Its tokens, without what is compiled for tests only.
    pub tokens: Vec<Token>,
    /// Its tokens, tests included.
    pub all_tokens: Vec<Token>,
    /// Its comments.
    pub comments: Vec<Comment>,
    /// The names that its tokens use.
    pub names: Vec<Name>,
    /// Files that it declares, and whether for tests only, by their path without `.rs`.
    pub declares: BTreeMap<String, bool>,
    /// Whether it is compiled for tests only.
    pub test: bool,
}

impl Source {
    /// Reads one file.
    pub fn new(path: &str, text: &str) -> Source {
        let (all_tokens, comments) = read(text);
        let (tokens, declares) = without_tests(path, &all_tokens);
        let names = names(&module_of(path), &tokens);
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
            tokens,
            all_tokens,
            comments,
            names,
            declares,
            test: path.starts_with("tests/"),
        }
    }

    /// Its path's parts beneath `src`, the last without `.rs`; `mod` is left out.
    pub fn parts(&self) -> Vec<&str> {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let inner = inner.strip_suffix(".rs").unwrap_or(inner);
        inner.split('/').filter(|part| *part != "mod").collect()
    }

    /// The room of the house that it stands in: `model`, `store` …
    pub fn room(&self) -> &str {
        if self.path.starts_with("src/") {
            self.parts().first().copied().unwrap_or_default()
        } else {
            ""
        }
    }

    /// The domain that it belongs to.
    pub fn domain(&self) -> Option<&str> {
        let parts = self.parts();
        (self.room() == "domains")
            .then(|| parts.get(1).copied())
            .flatten()
    }

    /// Where a line of it stands, for a finding.
    pub fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }
}

/// Reads a tree, and marks the files that are declared for tests only, with all beneath them.
pub fn tree(files: &[(String, String)]) -> Vec<Source> {
    let mut sources: Vec<Source> = files.iter().map(|(p, t)| Source::new(p, t)).collect();
    let mut tests: BTreeSet<String> = BTreeSet::new();
    for source in &sources {
        let only = source.declares.iter().filter(|(_, test)| **test);
        tests.extend(only.map(|(file, _)| file.clone()));
    }
    for source in &mut sources {
        let stem = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let beneath = |test: &String| stem == *test || stem.starts_with(&format!("{test}/"));
        source.test |= tests.iter().any(beneath);
    }
    sources
}

/// The folder that the modules declared in a file lie in.
pub fn folder_of_modules(path: &str) -> String {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    if matches!(name, "mod" | "lib" | "main") {
        folder.to_owned()
    } else {
        stem.to_owned()
    }
}

/// A file's own module, as a path from `crate`.
fn module_of(path: &str) -> Vec<String> {
    let inner = folder_of_modules(path);
    let inner = inner.strip_prefix("src").unwrap_or(&inner);
    std::iter::once("crate")
        .chain(inner.split('/').filter(|part| !part.is_empty()))
        .map(str::to_owned)
        .collect()
}

fn is(tokens: &[Token], at: usize, texts: &[&str]) -> bool {
    texts.iter().enumerate().all(|(i, text)| {
        tokens
            .get(at + i)
            .is_some_and(|t| t.kind != Kind::Text && t.text == *text)
    })
}

/// The position after the bracket that closes the one at `at`.
pub fn after_brackets(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The position after the item at `at`: its block, or its semicolon.
fn after_item(tokens: &[Token], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match (&token.kind, token.text.as_str()) {
            (Kind::Mark, "{") => return after_brackets(tokens, at),
            (Kind::Mark, "(" | "[") => at = after_brackets(tokens, at),
            (Kind::Mark, ";") => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// The tokens that are not compiled for tests only, and the files declared by `mod name;`.
fn without_tests(path: &str, tokens: &[Token]) -> (Vec<Token>, BTreeMap<String, bool>) {
    let (mut kept, mut declares) = (Vec::new(), BTreeMap::new());
    let folder = folder_of_modules(path);
    let mut at = 0;
    let mut test_until = 0;
    while at < tokens.len() {
        if is(tokens, at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            test_until = after_item(tokens, at + 7);
        }
        if is(tokens, at, &["mod"]) && is(tokens, at + 2, &[";"]) {
            let file = format!("{folder}/{}", tokens[at + 1].text);
            declares.insert(file, at < test_until);
        }
        if at >= test_until {
            kept.push(tokens[at].clone());
        }
        at += 1;
    }
    (kept, declares)
}

/// Every name that the tokens use, spelled out through the file's own `use` lines and modules.
fn names(module: &[String], tokens: &[Token]) -> Vec<Name> {
    let mut aliases: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut found = Vec::new();
    let mut at = 0;
    let mut bodies = Vec::new();
    while at < tokens.len() {
        if is(tokens, at, &["mod"]) && tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Word) {
            let name = tokens[at + 1].text.clone();
            let path = module.iter().cloned().chain([name.clone()]).collect();
            aliases.insert(name, path);
        }
        if is(tokens, at, &["use"]) && !is(tokens, at + 1, &["<"]) {
            let mut reader = UseTree {
                tokens,
                module,
                at: at + 1,
                start: at,
                found: Vec::new(),
            };
            reader.read(&[]);
            for (alias, name) in reader.found {
                aliases.insert(alias, name.path.clone());
                found.push(name);
            }
            at = reader.at;
        } else {
            bodies.push(at);
            at += 1;
        }
    }
    let mut skip_to = 0;
    for at in bodies {
        if at < skip_to || tokens[at].kind != Kind::Word {
            continue;
        }
        let (path, end) = path_at(tokens, at);
        skip_to = end;
        let field = at > 0 && is(tokens, at - 1, &["."]);
        if field || (path.len() == 1 && !aliases.contains_key(&path[0])) {
            continue;
        }
        found.push(Name {
            path: spell_out(module, &aliases, path),
            line: tokens[at].line,
            at,
        });
    }
    // What a `use` line brought in may rest on another `use` line.
    for name in &mut found {
        name.path = spell_out(module, &aliases, name.path.clone());
    }
    found
}

fn path_at(tokens: &[Token], at: usize) -> (Vec<String>, usize) {
    let mut path = vec![tokens[at].text.clone()];
    let mut end = at + 1;
    while is(tokens, end, &["::"]) && tokens.get(end + 1).is_some_and(|t| t.kind == Kind::Word) {
        path.push(tokens[end + 1].text.clone());
        end += 2;
    }
    (path, end)
}

fn spell_out(
    module: &[String],
    aliases: &BTreeMap<String, Vec<String>>,
    path: Vec<String>,
) -> Vec<String> {
    let rest = |n: usize| path[n..].iter().cloned();
    match path[0].as_str() {
        "crate" => path,
        "wanderbooks" => ["crate".to_owned()].into_iter().chain(rest(1)).collect(),
        "self" if path.len() > 1 => module.iter().cloned().chain(rest(1)).collect(),
        "super" => {
            let up = path.iter().take_while(|part| *part == "super").count();
            let base = &module[..module.len().saturating_sub(up).max(1)];
            base.iter().cloned().chain(rest(up)).collect()
        }
        first => match aliases.get(first) {
            Some(known) if known[0] != *first => known.iter().cloned().chain(rest(1)).collect(),
            _ => path,
        },
    }
}

/// The tree of a `use` line.
struct UseTree<'t> {
    tokens: &'t [Token],
    module: &'t [String],
    at: usize,
    start: usize,
    found: Vec<(String, Name)>,
}

impl UseTree<'_> {
    fn read(&mut self, before: &[String]) {
        let mut path = before.to_vec();
        while let Some(token) = self.tokens.get(self.at) {
            let line = token.line;
            match token.text.as_str() {
                "{" => return self.group(&path),
                "::" => self.at += 1,
                "as" => {
                    let alias = self.tokens.get(self.at + 1).map(|t| t.text.clone());
                    self.at += 2;
                    return self.push(alias.unwrap_or_default(), path, line);
                }
                "," | "}" | ";" => {
                    let alias = path.last().cloned().unwrap_or_default();
                    return self.push(alias, path, line);
                }
                "self" if !path.is_empty() => self.at += 1,
                part => {
                    path.push(part.to_owned());
                    self.at += 1;
                }
            }
        }
    }

    fn group(&mut self, path: &[String]) {
        self.at += 1;
        while let Some(token) = self.tokens.get(self.at) {
            match token.text.as_str() {
                "}" => {
                    self.at += 1;
                    return;
                }
                "," => self.at += 1,
                _ => self.read(path),
            }
        }
    }

    fn push(&mut self, alias: String, path: Vec<String>, line: usize) {
        if path.is_empty() {
            return;
        }
        let name = Name {
            path: spell_out(self.module, &BTreeMap::new(), path),
            line,
            at: self.start,
        };
        self.found.push((alias, name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(path: &str, text: &str) -> Vec<String> {
        Source::new(path, text)
            .names
            .iter()
            .map(Name::spelled)
            .collect()
    }

    /// Names are spelled out through groups, aliases, `self`, `super` and a file's own modules, wherever they are used.
    #[test]
    fn spells_names_out() {
        let text = "mod rules;
            use crate::{model::{Date, Money as M}, domains::chart::{self, Account}};
            use super::super::table;
            use std::fs;
            fn f(x: M) { fs::read(chart::by_id(table::lines(rules::sum(x.crate_name)))) }";
        let expected = [
            "crate::model::Date",
            "crate::model::Money",
            "crate::domains::chart",
            "crate::domains::chart::Account",
            "crate::domains::entry::table",
            "std::fs",
            "crate::domains::entry::ops::post::rules",
            "crate::model::Money",
            "std::fs::read",
            "crate::domains::chart::by_id",
            "crate::domains::entry::table::lines",
            "crate::domains::entry::ops::post::rules::sum",
        ];
        assert_eq!(spelled("src/domains/entry/ops/post.rs", text), expected);
    }

    /// What is compiled for tests only is no part of a file's tokens, and a file declared for tests only is a test.
    #[test]
    fn leaves_tests_out() {
        let text = "fn a() {} #[cfg(test)] #[allow(x)] mod tests { use std::fs; } fn b() {}
            #[cfg(test)] mod sample; mod real;";
        let files = [
            ("src/model/mod.rs", text),
            ("src/model/sample.rs", ""),
            ("src/model/sample/more.rs", ""),
            ("src/model/real.rs", ""),
        ];
        let files = files.map(|(p, t)| (p.to_owned(), t.to_owned()));
        let sources = tree(&files);
        let tests: Vec<bool> = sources.iter().map(|s| s.test).collect();
        assert_eq!(tests, [false, true, true, false]);
        assert_eq!(
            sources[0]
                .names
                .iter()
                .map(Name::spelled)
                .collect::<Vec<_>>(),
            ["crate::model::real"]
        );
        assert!(sources[0].tokens.iter().any(|t| t.text == "b"));
    }
}
