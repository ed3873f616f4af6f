//! The two sides of a transfer that both banks tell: what is paired, who is told, and what is no pair.

use serde_json::{Value, json};

use super::{
    Desk,
    bank::{COUNTS, file, import},
    pick,
};

/// The other side of a transfer in another account's rows is warned of with day and amount of both, within three days and each
/// once; nothing is refused.
#[test]
fn transfers() {
    let mut desk = Desk::furnished("USD");
    let bank = file(&[
        "10/01/2026,TO CARD,-500.00",
        "10/02/2026,TO CARD,-500.00",
        "10/20/2026,Rent,-900.00",
    ]);
    import(&mut desk, &bank, json!({}));
    let card = file(&[
        "10/04/2026,PAYMENT,500.00",
        "10/04/2026,PAYMENT,500.00",
        "10/04/2026,PAYMENT,500.00",
        "10/24/2026,PAYMENT,900.00",
        "10/25/2026,Coffee,-4.50",
    ]);
    let into_card = json!({"bank_account_code": "2050", "sign": "in_positive"});
    let told = "the other side of a transfer may be in the books already \
                (line 2, 2026-10-04, 500.00 and entry 1, 2026-10-01, -500.00; \
                line 3, 2026-10-04, 500.00 and entry 2, 2026-10-02, -500.00); post only one of each two";
    let mut preview = into_card.clone();
    preview["preview"] = true.into();
    let shown = import(&mut desk, &card, preview);
    assert_eq!(shown["warnings"], json!([told]));
    let done = import(&mut desk, &card, into_card.clone());
    assert_eq!(done["warnings"], json!([told]));
    assert_eq!(pick(&done, COUNTS), json!([5, 0, 0]));
    let again = import(&mut desk, &card, into_card);
    assert_eq!(again.get("warnings"), None);
    desk.verify();
}

/// More ends than the warning names are counted; an end that was discarded is none.
#[test]
fn many_transfers() {
    let mut desk = Desk::furnished("USD");
    let rows: Vec<String> = (1..=8).map(|n| format!("10/01/2026,a,-{n}.00")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    import(&mut desk, &file(&rows), json!({}));
    desk.call("entry discard", json!({"entry_id": 1}));
    let rows: Vec<String> = (1..=8).map(|n| format!("10/01/2026,b,{n}.00")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let done = import(
        &mut desk,
        &file(&rows),
        json!({"bank_account_code": "1010"}),
    );
    let told = done["warnings"][0].as_str().expect("a warning");
    let pairs: Vec<String> = (2..=6)
        .map(|n| {
            format!(
                "line {}, 2026-10-01, {n}.00 and entry {n}, 2026-10-01, -{n}.00",
                n + 1
            )
        })
        .collect();
    let pairs = &format!("({}; 2 more)", pairs.join("; "));
    assert!(told.contains(pairs), "{told}");
}

/// A draft carries its suspected twin: it is named where the entry is shown, previewed and posted, until one of the two is gone.
#[test]
fn twins() {
    let mut desk = Desk::furnished("USD");
    import(&mut desk, &file(&["10/01/2026,TO CARD,-500.00"]), json!({}));
    let into_card = json!({"bank_account_code": "2050", "sign": "in_positive"});
    import(&mut desk, &file(&["10/04/2026,PAYMENT,500.00"]), into_card);
    let of_one = "entry 1 (2026-10-01, -500.00) looks like the other side of entry 2 (draft, 2026-10-04, 500.00 on account \"2050\"); \
                  if they are one transfer, post one and discard the other";
    let of_two = "entry 2 (2026-10-04, 500.00) looks like the other side of entry 1 (posted, 2026-10-01, -500.00 on account \"1000\"); \
                  if they are one transfer, post one and discard the other";
    let shown = desk.call("entry show", json!({"entry_id": 1}));
    let page = "It looks like the other side of entry 2 (draft, 2026-10-04, 500.00 on account \"2050\"); \
                if they are one transfer, post one and discard the other";
    assert_eq!(shown["twin_warning"], page);
    let twin = json!([2]);
    assert_eq!(shown["twin_entry_ids"], twin);
    let preview = desk.call("entry post", json!({"entry_id": 1}));
    assert_eq!(preview["twin_entry_ids"], twin);
    assert_eq!(preview["warnings"], json!([of_one]));
    let posted = desk.call("entry post", json!({"entry_id": 1, "confirmed": true}));
    assert_eq!(posted["warnings"], json!([of_one]));
    let preview = desk.call("entry post", json!({"entry_id": 2}));
    assert_eq!(preview["warnings"], json!([of_two]));
    desk.call("entry discard", json!({"entry_id": 2}));
    for id in [1, 2] {
        let shown = desk.call("entry show", json!({"entry_id": id}));
        assert_eq!(
            (shown.get("twin_entry_ids"), shown.get("twin_warning")),
            (None, None)
        );
    }
    desk.verify();
}

/// What was earned or spent is no transfer: a refund and a fee of one amount are not paired once rules have claimed them; a row
/// booked to the other bank account is, whatever the other row was booked to.
#[test]
fn no_twins() {
    let mut desk = Desk::furnished("USD");
    let fee = file(&["10/01/2026,MONTHLY FEE,-12.00"]);
    import(&mut desk, &fee, json!({"rules": {"fee": "6600"}}));
    let other = |rules: Value, preview: bool| {
        let more = json!({"bank_account_code": "1010", "rules": rules, "preview": preview});
        (file(&["10/02/2026,EBAY REFUND,12.00"]), more)
    };
    for rules in [json!({"refund": "4900"}), json!({})] {
        let (text, more) = other(rules, true);
        assert_eq!(import(&mut desk, &text, more).get("warnings"), None);
    }
    let (text, more) = other(json!({"refund": "4900"}), false);
    import(&mut desk, &text, more);
    let shown = desk.call("entry show", json!({"entry_id": 2}));
    assert_eq!(shown.get("twin_entry_ids"), None);
    let preview = desk.call("entry post", json!({"entry_id": 1}));
    assert_eq!(
        (preview.get("warnings"), preview.get("twin_entry_ids")),
        (None, None)
    );
    let sides = file(&["10/11/2026,TO SAVINGS,-80.00"]);
    import(&mut desk, &sides, json!({"rules": {"savings": "1010"}}));
    let sides = file(&["10/11/2026,DEPOSIT,80.00"]);
    let more = json!({"bank_account_code": "1010", "rules": {"deposit": "4000"}});
    let warned = import(&mut desk, &sides, more)["warnings"].clone();
    assert_eq!(warned.as_array().map(Vec::len), Some(1));
    desk.verify();
}
