//! `wb demo`: a year of a small company's books, made through the same tools that everyone uses, then looked at.

mod bank;
mod paper;
mod year;

use std::{ffi::OsString, path::PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};

use super::{Exit, Session, Stop, init, operate, place};
use crate::{
    engine::{Books, Content, No, Result},
    model::{Refusal, quoted, visible},
    store::{Paths, StoreError},
    world::files,
};

/// The verb.
pub fn command() -> Command {
    Command::new("demo")
        .about("Make example books with a year of entries, and show what they say")
        .long_about(
            "Make example books with a year of entries, and show what they say\n\nThe books of a small bookshop, \
             Harbor & Pine Books LLC, are made in a new folder through the same operations that you would use. Then \
             trial balance, balance sheet, profit and loss and a verification are printed, and what to try next. A \
             folder that exists is refused.",
        )
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .default_value("wanderbooks-demo")
                .help("The new folder"),
        )
}

/// Makes the books and shows them.
pub fn carry_out(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let dir = matches
        .get_one::<PathBuf>("dir")
        .cloned()
        .unwrap_or_default();
    let paths = place::for_new(&dir, &place::Places::default(), session.world)?;
    if paths.root_exists().map_err(No::from)? {
        let message = format!(
            "{} exists already; the demo only makes a new folder",
            quoted(&dir.to_string_lossy())
        );
        return Err(Refusal::new("folder_exists", message)
            .hint("name another: wb demo DIR")
            .into());
    }
    let made = fill(session, &dir, paths)?;
    let shown = if session.json {
        session.console.json(&made).map(|()| Exit::Done)
    } else {
        look(
            session,
            &dir,
            made.get("first_draft").and_then(Value::as_i64),
        )
    };
    match shown.map_err(|stop| operate::only_unshown(stop, MADE))? {
        Exit::Done => Ok(Exit::Done),
        // The verb that failed has said why.
        _ => Err(No::Fault(format!("{MADE}; only showing them failed")).into()),
    }
}

/// What stands, whatever becomes of showing it.
const MADE: &str = "the example books are made";

/// Makes the books and calls every tool of the year.
fn fill(session: &mut Session<'_>, dir: &std::path::Path, paths: Paths) -> Result<Value> {
    let wanted = init::Init {
        dir: dir.to_owned(),
        company: Some("Harbor & Pine Books LLC".to_owned()),
        entity: Some("partnership".to_owned()),
        owners: vec!["Ada Harbor=60%".to_owned(), "Grace Pine=40%".to_owned()],
        fiscal_year_start: None,
        currency: None,
        no_chart: false,
    };
    let made = init::make(session, &wanted, paths.clone())?;
    let inbox = paths.root.join("inbox/lease.txt");
    let mut books = Books::open(paths, session.domains, session.world.clone())?;
    if session.console.draws_progress() && !session.quiet {
        books.on_progress(operate::progress());
    }
    // The paper's receipt came by mail before the card's file did: it waits for its entry.
    let early = paper::receipt("Northwind Paper Co", "2025-12-09", "96.45");
    attach(session, &mut books, None, ("northwind-paper.pdf", early))?;
    let entries = year::entries();
    let total = entries.len() as u64;
    for (done, entry) in (1..).zip(entries) {
        post(session, &mut books, entry)?;
        books.tell(done, total);
    }
    correct_a_mistake(session, &mut books)?;
    let january = json!({ "name": "January 2025", "start": "2025-01-01", "end": "2025-01-31" });
    init::tool(session, &mut books, "books.create_period", january)?;
    let import = json!({
        "csv_text": include_str!("demo/card.csv"), "bank_account_code": "2050", "default_offset_code": "6999",
        "rules": {"NORTHWIND PAPER": "6810", "PRINTERS": "6300"},
    });
    let imported = init::tool(session, &mut books, "books.import_bank_csv", import)?;
    // Two of the card's lines have their receipts; the others wait for a person to find them.
    for (key, name, what) in [
        (
            "first_entry_id",
            "pine-street.pdf",
            ("Pine Street Printers", "2025-12-02", "184.20"),
        ),
        (
            "last_entry_id",
            "northwind-88479.pdf",
            ("Northwind Paper Co", "2025-12-19", "52.80"),
        ),
    ] {
        let entry = imported.get(key).and_then(Value::as_i64);
        let receipt = paper::receipt(what.0, what.1, what.2);
        attach(session, &mut books, entry, (name, receipt))?;
    }
    bank::reconcile(session, &mut books)?;
    // A paper that came in and is not filed yet.
    let lease = b"LEASE OF 14 HARBOR STREET\nFrom 2025-01-01, 1850.00 a month\n";
    files::write_new(&inbox, lease)
        .map_err(|e| No::from(StoreError::io("filling the inbox", e)))?;
    Ok(
        json!({ "books": made.get("books"), "entries": total, "drafts": imported.get("imported"), "first_draft": imported.get("first_entry_id") }),
    )
}

/// Files a receipt as whoever has it at hand does.
fn attach(
    session: &Session<'_>,
    books: &mut Books,
    entry: Option<i64>,
    (file_name, bytes): (&str, Vec<u8>),
) -> Result<()> {
    let args = json!({
        "entry_id": entry, "file_name": file_name, "mime_type": "application/pdf", "content_base64": Content(bytes.into()),
    });
    init::tool(session, books, "books.attach_receipt", args)?;
    Ok(())
}

/// Drafts an entry, attaches its receipt where the policy asks for one, previews it, and posts what was previewed.
fn post(session: &Session<'_>, books: &mut Books, entry: Value) -> Result<i64> {
    let drafted = init::tool(session, books, "books.draft_entry", entry)?;
    let id = drafted.get("entry_id").and_then(Value::as_i64);
    let id = id.ok_or_else(|| No::Fault("a draft without an id".to_owned()))?;
    let asked = json!({ "entry_id": id });
    let mut shown = init::tool(session, books, "books.post_entry", asked.clone())?;
    if shown.get("receipt_missing") == Some(&Value::Bool(true)) {
        let text = |key: &str| shown.get(key).and_then(Value::as_str).unwrap_or_default();
        let receipt = paper::receipt(text("description"), text("date"), text("total"));
        let name = format!("{}-{id}.pdf", text("date"));
        attach(session, books, Some(id), (&name, receipt))?;
        shown = init::tool(session, books, "books.post_entry", asked)?;
    }
    let agreed = json!({ "entry_id": id, "confirmed": true, "if_preview": shown.get("preview") });
    init::tool(session, books, "books.post_entry", agreed)?;
    Ok(id)
}

/// A posting to the wrong account, its reversal, and the right posting: how every correction is made.
fn correct_a_mistake(session: &Session<'_>, books: &mut Books) -> Result<()> {
    let [wrong, right] = year::mistake();
    let id = post(session, books, wrong)?;
    let reversal = json!({ "entry_id": id, "date": "2025-12-22", "description": "Reversal: booked to travel by mistake" });
    let shown = init::tool(session, books, "books.reverse_entry", reversal.clone())?;
    let mut agreed = reversal.as_object().cloned().unwrap_or_default();
    agreed.insert("confirmed".to_owned(), true.into());
    agreed.insert(
        "if_preview".to_owned(),
        shown.get("preview").cloned().unwrap_or_default(),
    );
    init::tool(session, books, "books.reverse_entry", Value::Object(agreed))?;
    post(session, books, right)?;
    Ok(())
}

/// Shows the statements by the verbs that show them, and what to try next.
fn look(
    session: &mut Session<'_>,
    dir: &std::path::Path,
    draft: Option<i64>,
) -> Result<Exit, Stop> {
    if session.quiet {
        return Ok(Exit::Done);
    }
    let verbs: [&[&str]; 4] = [
        &["report", "trial-balance", "--as-of", "2025-12-31"],
        &["report", "balance-sheet", "--as-of", "2025-12-31"],
        &[
            "report",
            "profit-and-loss",
            "--start",
            "2025-01-01",
            "--end",
            "2025-12-31",
        ],
        &["verify"],
    ];
    for verb in verbs {
        session
            .console
            .print(&format!("$ wb {}\n\n", verb.join(" ")))?;
        let mut args: Vec<OsString> = vec!["wb".into(), "--books".into(), dir.into()];
        args.extend(verb.iter().map(OsString::from));
        let exit = super::run(args, session.domains, session.world, session.console);
        if exit != Exit::Done {
            return Ok(exit);
        }
        session.console.print("\n")?;
    }
    let place = dir.to_string_lossy();
    let place = visible(&place);
    let post = format!("wb entry post {}", draft.unwrap_or_default());
    session.console.print(&format!(
        "The books are in {place}. Try:\n\n  cd {place}\n  wb entry search --status draft     # card lines that wait for you\n  \
         {post:<33}  # a preview of one; add --confirm to post it\n  wb account register 1000\n  \
         wb entry search rent --limit 3\n  wb mcp serve                       # the same operations for an agent\n"
    ))?;
    Ok(Exit::Done)
}
