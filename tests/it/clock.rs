//! Books under a clock that is not right: none is dated beyond the calendar, and what is doubtful is said with the change.

use serde_json::{Value, json};

use crate::books::Desk;

/// Under a clock before the year 2000 every call is unavailable, says where the clock stands and what to do, and nothing changes.
#[test]
fn unset() {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    let paths = desk.paths();
    let before = std::fs::read(paths.mirror()).expect("a mirror");
    desk.at("1999-12-31T23:59:59Z");
    let want = json!({
        "code": "unavailable",
        "message": "the system's clock stands at 1999-12-31T23:59:59Z; books are dated from the year 2000 to 9999",
        "remedy_hint": "set the clock, then try again",
    });
    let target = desk.folder.path().join("copy");
    for (name, args) in [
        (
            "books.add_account",
            json!({"code": "1000", "name": "Bank", "type": "asset"}),
        ),
        ("books.trial_balance", json!({})),
        ("books.verify", json!({})),
        ("backup", json!({"target": target})),
        ("restore", json!({"accept": true, "reason": "x"})),
    ] {
        assert_eq!(desk.no(name, args), ("unavailable", want.clone()), "{name}");
    }
    let found = desk.unrepaired();
    assert_eq!(found, ("unavailable", want));
    assert_eq!(std::fs::read(paths.mirror()).expect("a mirror"), before);
    assert!(!target.exists());
}

fn warnings(desk: &mut Desk, now: &str, code: &str) -> Value {
    desk.at(now);
    let args = json!({"code": code, "name": code, "type": "asset"});
    desk.ok("books.add_account", args)["warnings"].clone()
}

/// A change under a clock that stands over a day before the journal's last event, or over two years after it, is made and says so;
/// the next one under the same clock has nothing to say.
#[test]
fn doubtful() {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    assert_eq!(
        warnings(&mut desk, "2026-11-30T12:00:00Z", "a"),
        Value::Null
    );
    assert_eq!(
        warnings(&mut desk, "2026-11-29T13:00:00Z", "b"),
        Value::Null
    );
    let told = warnings(&mut desk, "2031-02-28T12:00:00Z", "c");
    let want = "the system's clock stands at 2031-02-28T12:00:00Z, more than two years after the last event of the journal, \
                2026-11-29T13:00:00Z; the change bears the clock's instant: look whether the clock is right";
    assert_eq!(told, json!([want]));
    assert_eq!(
        warnings(&mut desk, "2031-02-28T12:00:01Z", "d"),
        Value::Null
    );
    let told = warnings(&mut desk, "2026-11-30T12:00:00Z", "e");
    let want = "the system's clock stands at 2026-11-30T12:00:00Z, before the last event of the journal, 2031-02-28T12:00:01Z; \
                the change bears that instant all the same: look whether the clock is right";
    assert_eq!(told, json!([want]));
    assert_eq!(
        warnings(&mut desk, "2026-11-30T12:00:01Z", "f"),
        Value::Null
    );
}
