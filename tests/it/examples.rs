//! The examples: each script, cron line and client configuration is run on fresh books.

use crate::program::{Place, added, file, root, servers};

/// The month's script makes books, posts what its rules sorted, leaves the rest as drafts, and balances.
#[test]
fn month() {
    let place = Place::new();
    let said = place.must("sh -eu examples/month.sh books");
    assert!(
        said.contains("Total assets                      $3,613.88"),
        "{said}"
    );
    let drafts =
        place.must("wb --books books entry search --status draft --json | grep -o '\"total\":2,'");
    assert_eq!(drafts, "\"total\":2,\n");
}

/// The script of pipes runs on new books, and a preview ends with exit code 3.
#[test]
fn pipes() {
    let place = Place::new();
    place.books("books");
    let said = place.must("sh -eu examples/pipes.sh books");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with("without --confirm ended with 3"), "{said}");
}

/// What the demo suggests to try can be tried.
#[test]
fn suggestions_of_the_demo() {
    let place = Place::new();
    let said = place.must("wb demo");
    let (_, suggested) = said.split_once("Try:").expect("suggestions");
    let mut ran = 0;
    let suggested = suggested.lines().map(str::trim).filter(|l| !l.is_empty());
    let mut script = String::new();
    for line in suggested {
        script.push_str(&match line {
            l if l.starts_with("wb entry post") => format!("{l}\n[ $? = 3 ] || exit 99\n"),
            l => format!("{l}\n[ $? = 0 ] || exit 99\n"),
        });
        ran += 1;
    }
    place.must(&format!("exec </dev/null\n{script}"));
    assert_eq!(ran, 6);
}

/// A change whose result is no table is made and shown as text under --csv; it is not called a wrong command line.
#[test]
fn csv_of_what_is_no_table() {
    let place = Place::new();
    place.books("books");
    let output = place.bash("wb --books books backup copy --csv");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), said.as_str()),
        (
            Some(0),
            "wb: note: this result is not one table, so it is shown as text\n"
        )
    );
    assert!(place.path().join("copy/MANIFEST.json").exists());
}

/// Every cron line has five fields of time, and its command succeeds on new books with the paths replaced.
#[test]
fn cron() {
    let place = Place::new();
    place.books("books");
    std::fs::create_dir(place.path().join("backups")).expect("a folder");
    let text = file("examples/cron/wanderbooks.cron");
    let here = place.path().to_string_lossy().into_owned();
    let mut settings = String::new();
    let mut ran = 0;
    for line in text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let line = line.replace("/path/to", &here);
        let fields: Vec<&str> = line.splitn(6, ' ').collect();
        if let [times @ .., command] = &fields[..]
            && times.len() == 5
        {
            let timely = |t: &&str| t.chars().all(|c| c.is_ascii_digit() || "*/,-".contains(c));
            assert!(times.iter().all(timely), "{line}");
            assert!(
                !command.replace("\\%", "").contains('%'),
                "a bare % ends a cron command: {line}"
            );
            place.must(&format!("{settings}{}", command.replace("\\%", "%")));
            ran += 1;
        } else {
            settings.push_str(&format!("export {line}\n"));
        }
    }
    assert_eq!(ran, 4);
}

/// Every client configuration starts a server that answers in both eras; the read-only one offers fewer tools.
#[test]
fn configurations() {
    let place = Place::new();
    let books = place.books("books");
    let mut counts = std::collections::BTreeMap::new();
    let folder = root().join("examples/agent-config");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy().into_owned();
        let text = file(&format!("examples/agent-config/{name}"));
        let config = match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "sh" => text.lines().map(added).collect(),
            language => servers(&text, language),
        };
        for server in config {
            counts.insert(name.clone(), place.serves(&server, &books));
        }
    }
    assert_eq!(counts.len(), 5, "{counts:?}");
    let all = counts["claude-desktop.json"];
    for (name, count) in &counts {
        assert_eq!(
            *count < all,
            name == "read-only.json",
            "{name}: {count} of {all}"
        );
    }
}

/// The index names every file of the examples, or the folder that has an index of its own.
#[test]
fn index() {
    let index = file("examples/README.md");
    for folder in ["", "cron/", "agent-config/", "chart/", "journal/"] {
        for entry in std::fs::read_dir(root().join("examples").join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}{}", entry.file_name().to_string_lossy());
            let is_file = entry.file_type().expect("a type").is_file();
            assert!(
                !is_file || name == "README.md" || index.contains(&format!("({name})")),
                "{name}"
            );
        }
    }
}
