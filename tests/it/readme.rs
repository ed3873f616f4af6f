//! The README and the guides: their commands run, their configurations serve, their links lead somewhere.

use crate::program::{Place, added, file, root, servers};

const PAGES: &[&str] = &[
    "README.md",
    "docs/guide.md",
    "docs/agents.md",
    "docs/recovery.md",
    "docs/litestream.md",
];

/// The README and the guide for agents name the operations that only the terminal offers, and how many they are.
#[test]
fn what_the_terminal_alone_offers() {
    let all = wanderbooks::registry::DOMAINS.iter();
    let all = all.flat_map(|domain| domain.operations);
    let alone: Vec<&str> = all.filter(|op| !op.is_tool()).map(|op| op.verb).collect();
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    let counted = words[alone.len()];
    for page in ["README.md", "docs/agents.md"] {
        let text = file(page).split_whitespace().collect::<Vec<_>>().join(" ");
        let at = text.find("for the terminal alone").expect(page);
        let start = text[..at].rfind(['.', ',']).unwrap_or(0);
        let end = at + text[at..].find(". ").expect(page);
        let sentence = &text[start..end];
        assert!(
            sentence.to_lowercase().contains(counted),
            "{page}: {sentence}"
        );
        for verb in &alone {
            assert!(sentence.contains(&format!("`wb {verb}`")), "{page}: {verb}");
        }
        assert_eq!(sentence.matches("`wb ").count(), alone.len(), "{page}");
    }
}

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
}

/// The commands of the README that are marked to be run end with the exit codes that it says.
#[test]
fn the_readme_runs() {
    runs("README.md");
}

/// The commands of the guide for the terminal end with the exit codes that it says.
#[test]
fn the_guide_runs() {
    runs("docs/guide.md");
}

/// The commands of the guide for authors of agents end with the exit codes that it says.
#[test]
fn the_agents_page_runs() {
    runs("docs/agents.md");
}

/// The commands of the page on recovery, a lost machine among it, end with the exit codes that it says.
#[test]
fn the_recovery_page_runs() {
    runs("docs/recovery.md");
}

/// Every client configuration on a page starts a server that answers in both eras and lists its tools.
#[test]
fn configurations_serve() {
    let place = Place::new();
    let books = place.books("books");
    let mut found = 0;
    for page in PAGES {
        for block in blocks(&file(page)) {
            let config = match block.language.as_str() {
                "json" | "toml" => servers(&block.text, &block.language),
                _ => (block.text.lines())
                    .filter(|line| line.starts_with("claude mcp add "))
                    .map(added)
                    .collect(),
            };
            for server in config {
                place.serves(&server, &books);
                found += 1;
            }
        }
    }
    assert!(found >= 4, "{found} configurations");
}

/// Every relative link in the README, the documents and the examples leads to a file or a folder of the repository.
#[test]
fn links_lead_somewhere() {
    let mut pages = vec!["README.md".to_owned(), "examples/README.md".to_owned()];
    for folder in ["docs", "docs/reference", "docs/decisions", "examples/bank"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".md") {
                pages.push(format!("{folder}/{name}"));
            }
        }
    }
    let mut dead = Vec::new();
    for page in &pages {
        let folder = root().join(page);
        let folder = folder.parent().expect("a page is in a folder");
        for link in links(&file(page)) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !folder.join(target).exists() {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
}

/// The README keeps to 220 lines, the guide to 200, the other pages to 150.
#[test]
fn pages_are_short() {
    for page in PAGES {
        let most = match *page {
            "README.md" => 220,
            "docs/guide.md" => 200,
            _ => 150,
        };
        let lines = file(page).lines().count();
        assert!(lines <= most, "{page} has {lines} lines");
    }
}

fn runs(page: &str) {
    let text = file(page);
    let place = Place::new();
    let marked = blocks(&text).into_iter().filter(|b| b.language == "sh run");
    let commands: Vec<String> = marked.flat_map(|b| commands(&b.text)).collect();
    assert!(commands.len() > 5, "{page} has {} commands", commands.len());
    let mut script = String::from("set -o pipefail\n");
    for command in &commands {
        let wanted = wanted(command);
        let quoted = command.replace('\'', r"'\''");
        script.push_str(&format!(
            "{command}\nended=$?; [ $ended = {wanted} ] || {{ printf 'ended with %s: %s\\n' $ended '{quoted}' >&2; exit 99; }}\n"
        ));
    }
    let output = place.bash(&script);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{page}: {said}");
}

/// The exit code that a command's comment tells: `# … exit 3 …`.
fn wanted(command: &str) -> &str {
    let comment = command
        .rsplit_once(" # ")
        .map_or("", |(_, comment)| comment);
    let code = comment.split_once("exit ").map_or("", |(_, rest)| {
        rest.split([',', ':', ' ']).next().unwrap_or_default()
    });
    if code.is_empty() { "0" } else { code }
}

/// The commands of a block: lines, with those that end in a backslash joined to the next.
fn commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut held = String::new();
    for line in text.lines() {
        held.push_str(line);
        if line.ends_with('\\') {
            held.push('\n');
            continue;
        }
        let command = std::mem::take(&mut held);
        let told_apart = command.trim().is_empty() || command.starts_with('#');
        if !told_apart && !command.starts_with("bash tests/run") {
            all.push(command.replace("cargo run --release --", "wb"));
        }
    }
    all
}

fn blocks(page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block {
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => all.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    all
}

/// The relative links of a page, outside its blocks of code.
fn links(page: &str) -> Vec<String> {
    let mut fenced = false;
    let mut all = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if fenced || line.starts_with("    ") {
            continue;
        }
        for rest in line.split("](").skip(1) {
            let link = rest.split(')').next().unwrap_or_default();
            if !link.contains("://") {
                all.push(link.to_owned());
            }
        }
    }
    all
}
