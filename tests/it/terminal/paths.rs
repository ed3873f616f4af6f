//! Paths that a person may give where none of them leads to anything good: a refusal or unavailable, by the path's name, never a
//! fault, and nothing made.

use std::{fs, os::unix::fs::symlink};

use crate::stage::Stage;

fn said(stage: &Stage, words: &[&str]) -> (u8, String) {
    let words = words.iter().map(|w| (*w).to_owned()).collect();
    let said = stage.run(words);
    (said.exit, said.err + &said.out)
}

const FOUNDING: [&str; 6] = [
    "--company",
    "A",
    "--entity",
    "sole_proprietorship",
    "--owner",
    "Ada",
];

/// Every command that takes a path, with this one in its place.
fn lines_with<'w>(path: &'w str, books: &'w str, copy: &'w str) -> [Vec<&'w str>; 12] {
    [
        [&["init", path], &FOUNDING[..]].concat(),
        [&["--data-dir", path, "init", "fresh"], &FOUNDING[..]].concat(),
        vec!["demo", path],
        vec!["--books", path, "chart", "list"],
        vec!["--books", books, "--data-dir", path, "chart", "list"],
        vec!["--data-dir", path, "chart", "list"],
        vec!["--books", books, "--books-toml", path, "chart", "list"],
        vec!["--books", books, "backup", path],
        vec!["restore", path, "--into", "fresh"],
        vec!["restore", copy, "--into", path],
        vec!["--books", books, "chart", "import", path],
        vec!["--books", books, "verify", "--expect-from", path],
    ]
}

/// Whatever is wrong with a path, in the place of every path there is, the command ends with a code that says that nothing changed,
/// names what it is about, and makes nothing.
#[test]
fn every_path() {
    let stage = Stage::small();
    let here = stage.here().to_string_lossy().into_owned();
    stage.must("backup {here}/bk");
    stage.put("file", "x");
    for (to, name) in [("nowhere", "dangling"), ("circle", "circle")] {
        symlink(to, stage.here().join(name)).expect("a link");
    }
    let before = stage.events();
    let long = "n".repeat(300);
    let deep = "abcdefghi/".repeat(500) + "x";
    let bad = [
        "file/x",
        "file/x/y",
        "dangling/x",
        "circle/x",
        "circle",
        &long,
        &deep,
    ];
    let (books, copy) = (format!("{here}/books"), format!("{here}/bk"));
    for bad in bad {
        let path = format!("{here}/{bad}");
        let lines = lines_with(&path, &books, &copy);
        for line in lines {
            let (exit, text) = said(&stage, &line);
            let shown = &line.join(" ")[..line.join(" ").len().min(120)];
            assert!((1..=5).contains(&exit), "{shown}: {exit} {text}");
            let begin = bad.split('/').next().unwrap_or_default();
            let begin = &begin[..begin.len().min(20)];
            assert!(text.contains(begin), "{shown}: {text}");
        }
    }
    assert_eq!(stage.events(), before);
    let mut names: Vec<String> = fs::read_dir(stage.here())
        .expect("a folder")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "bk",
            "books",
            "chart.csv",
            "circle",
            "dangling",
            "file",
            "state"
        ]
    );
    assert!(!std::path::Path::new("fresh").exists());
}

/// No books are made inside other books.
#[test]
fn books_inside_books() {
    let stage = Stage::small();
    for inner in ["books/inbox/x", "books/data", "books/x/y"] {
        let path = format!("{}/{inner}", stage.here().to_string_lossy());
        for line in [
            [&["init", &path], &FOUNDING[..]].concat(),
            vec!["demo", &path],
        ] {
            let (exit, text) = said(&stage, &[&line[..], &["--json"]].concat());
            assert_eq!(exit, 1, "{text}");
            assert!(text.contains("folder_inside_books"), "{text}");
        }
    }
    assert!(!stage.books().join("x").exists());
}

/// A result's file is put into no books, neither these nor others, at their top or in their data, nor beside the remembered heads;
/// and a backup neither.
#[test]
fn outputs_stay_outside() {
    let stage = Stage::small();
    stage.put("receipt.txt", "Paper 5.00");
    stage.must("receipt attach {here}/receipt.txt");
    let other = stage.here().join("other");
    let words = ["init", &other.to_string_lossy()];
    assert_eq!(said(&stage, &[&words[..], &FOUNDING[..]].concat()).0, 0);
    let elsewhere = stage.here().join("elsewhere");
    fs::create_dir_all(elsewhere.join("blobs")).expect("folders");
    fs::write(elsewhere.join("wanderbooks.db"), "").expect("a file");
    symlink(other.join("data"), stage.here().join("link")).expect("a link");
    for place in [
        "books/r.txt",
        "books/data/r.txt",
        "books/inbox/r.txt",
        "other/r.txt",
        "other/data/r.txt",
        "other/vault/r.txt",
        "link/r.txt",
        "elsewhere/r.txt",
        "elsewhere/blobs/r.txt",
        "state/r.txt",
    ] {
        for force in ["", " --force"] {
            let said = stage.wb(&format!("receipt get 1 --output {{here}}/{place}{force}"));
            assert_eq!(said.exit, 2, "{place}: {said:?}");
            assert!(said.err.contains("lies inside books"), "{place}: {said:?}");
        }
        let said = stage.wb(&format!("backup {{here}}/{place}"));
        assert_eq!(said.exit, 1, "{place}: {said:?}");
        assert!(!stage.here().join(place).exists(), "{place}");
    }
    stage.must("receipt get 1 --output {here}/r.txt");
}
