//! How deep a chart may be: twelve levels, whichever way an account gets there.

use serde_json::{Value, json};

use crate::books::Desk;

const LEVELS_MAX: usize = 12;

fn add(code: &str, parent: Option<&str>) -> Value {
    let mut args = json!({"code": code, "name": code, "type": "asset"});
    if let Some(parent) = parent {
        args["parent"] = parent.into();
    }
    args
}

/// Books with accounts `a1` to `aN`, each under the one before it.
fn chained(prefix: &str, desk: &mut Desk, levels: usize) {
    for n in 1..=levels {
        let parent = (n > 1).then(|| format!("{prefix}{}", n - 1));
        desk.ok(
            "books.add_account",
            add(&format!("{prefix}{n}"), parent.as_deref()),
        );
    }
}

/// A refusal of this code, with the numbers and what to do.
fn refused(code: &str, parent: &str, message: &str) -> (&'static str, Value) {
    let want = json!({
        "code": code, "message": message, "parent": parent, "levels_max": LEVELS_MAX,
        "remedy_hint": "choose a parent further up; `wb chart list` shows what stands under what",
    });
    ("refused", want)
}

/// An account is added on the twelfth level and on none below it; the refusal has the numbers.
#[test]
fn added() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    chained("a", &mut desk, LEVELS_MAX);
    let message = "account \"a12\" stands on level 12; an account under it would stand on level 13, and a chart has at most 12";
    let found = desk.no("books.add_account", add("x", Some("a12")));
    assert_eq!(found, refused("chart_too_deep", "a12", message));
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// An account moves with all that stands under it, or not at all.
#[test]
fn moved() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    chained("a", &mut desk, 9);
    chained("b", &mut desk, 4);
    let under = |parent: &str| json!({"account": "b1", "parent": parent});
    let message = "account \"a9\" stands on level 9; the 4 levels of accounts put under it would reach level 13, and a chart has at most 12";
    let found = desk.no("books.update_account", under("a9"));
    assert_eq!(found, refused("chart_too_deep", "a9", message));
    desk.ok("books.update_account", under("a8"));
    // Said again it changes nothing, and is not weighed.
    desk.ok("books.update_account", under("a8"));
    let message = "account \"b4\" stands on level 12; an account under it would stand on level 13, and a chart has at most 12";
    desk.ok("books.add_account", add("x", None));
    let found = desk.no(
        "books.update_account",
        json!({"account": "x", "parent": "b4"}),
    );
    assert_eq!(found, refused("chart_too_deep", "b4", message));
}

/// A chart from a file is refused at the line that is too deep, whether the depth is the file's own or the chart's; what stands
/// under that line is not told again, and a file of thousands of levels is refused as fast.
#[test]
fn imported() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    chained("a", &mut desk, 10);
    let csv = |rows: usize, top: &str| {
        let mut text = "code,name,type,parent_code\n".to_owned();
        let mut parent = top.to_owned();
        for n in 1..=rows {
            text.push_str(&format!("r{n},Row,asset,{parent}\n"));
            parent = format!("r{n}");
        }
        text
    };
    for (rows, top, line) in [(3, "a10", 4), (13, "", 14), (5_000, "", 14)] {
        let (word, refusal) = desk.no(
            "books.import_chart_csv",
            json!({"csv_text": csv(rows, top)}),
        );
        assert_eq!(
            (word, &refusal["faults_total"]),
            ("refused", &json!(1)),
            "{refusal}"
        );
        let fault = &refusal["faults"][0];
        assert_eq!(fault["line"], line, "{refusal}");
        let message = fault["message"].as_str().expect("a message");
        assert!(
            message.contains("level 13, and a chart has at most 12"),
            "{message}"
        );
    }
    desk.ok("books.import_chart_csv", json!({"csv_text": csv(2, "a10")}));
}
