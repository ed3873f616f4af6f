//! Running an operation from the terminal: arguments, preview and confirmation, output.

use std::path::PathBuf;

use clap::ArgMatches;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value};

use super::{
    Exit, Session, Stop, deepest, give, options, place,
    question::{self, Unanswered},
    structured,
};
use crate::{
    engine::{
        Answer, Books, Call, Caller, Control, Effect, No, OpDef, Progress, Result, Site, operations,
    },
    present::{self, Sheet},
};

/// Runs the operation that the command line names.
pub fn operation(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let mut words = Vec::new();
    let mut inner = matches;
    while let Some((word, next)) = inner.subcommand() {
        words.push(word);
        inner = next;
    }
    let verb = words.join(" ");
    let found = operations(session.domains).find(|op| op.verb == verb);
    let op = found
        .ok_or_else(|| No::Fault(format!("`{verb}` is in the tree but not in the registry")))?;
    session.op = Some(op);
    let call = call_of(op, inner)?;
    let control = control_of(op, inner)?;
    if call.is_on_site() {
        return on_site(session, matches, op, &call);
    }
    let mut books = match open(session, matches, op.effect) {
        Err(Stop::No(no)) if no.code() == Some(NO_BOOKS) => return alone(session, op, &call, no),
        opened => opened?,
    };
    if !session.json && !session.csv {
        books.are_glanced_at();
    }
    let answer = books.call(op, &call, &control, Caller::plain(&session.by))?;
    if let Some(place) = give::Place::of(op, inner) {
        place.put(session, books.paths(), (op, &answer))?;
        if place.is_standard_output() {
            return Ok(Exit::Done);
        }
        session.written = Some(place.name());
    }
    if !answer.preview {
        show(session, &books, op, &answer).map_err(|stop| unshown(stop, op, &answer))?;
        return Ok(Exit::Done);
    }
    preview(session, (&mut books, op, &call), &control, &answer)
}

/// Runs a call on books that are not open, and shows what came of it on the page of the books that it gave.
fn on_site(
    session: &mut Session<'_>,
    matches: &ArgMatches,
    op: &OpDef,
    call: &Call,
) -> Result<Exit, Stop> {
    let places = place::Places::of(deepest(matches));
    let world = session.world;
    let find = || place::find(&places, world);
    let (answer, books) = call.on_site(&Site::new(&find, session.domains, world))?;
    show(session, &books, op, &answer).map_err(|stop| unshown(stop, op, &answer))?;
    Ok(Exit::Done)
}

/// The code of the refusal that there are no books.
const NO_BOOKS: &str = "no_books";

/// Gives what needs no books, where there are none; for all else, there being none is the answer.
fn alone(session: &mut Session<'_>, op: &OpDef, call: &Call, no: No) -> Result<Exit, Stop> {
    let Some(made) = call.without_books() else {
        return Err(no.into());
    };
    let value = Value::Object(made?);
    if session.json {
        session.console.json(&value)?;
    } else {
        print_sheet(session, &Sheet::from_value(&heading(op, None), &value))?;
    }
    Ok(Exit::Done)
}

/// Opens the books, with notes about what a person should know of them.
///
/// Only where the operation reads: another is refused with the same words.
pub fn open(
    session: &mut Session<'_>,
    matches: &ArgMatches,
    effect: Effect,
) -> Result<Books, Stop> {
    let reads = effect == Effect::Read;
    let paths = place::find(&place::Places::of(deepest(matches)), session.world)?;
    let mut books = Books::open(paths, session.domains, session.world.clone())?;
    if books.upgraded() {
        session
            .console
            .note("wb: upgraded: the tables were folded again for this version of wb");
    }
    // A change says so itself.
    if let Some(why) = books
        .settings_fault()
        .filter(|_| !matches!(effect, Effect::Write | Effect::Confirm))
    {
        let note = format!(
            "wb: warning: {}; the last good settings are in force",
            why.message
        );
        session.console.note(&note);
    }
    if let Some(alarm) = books.alarm().filter(|_| reads) {
        let (sentences, _) = alarm.sentences();
        session
            .console
            .note(&format!("wb: note: {}", sentences.join("; ")));
    }
    if session.console.draws_progress() && !session.quiet {
        books.on_progress(progress());
    }
    Ok(books)
}

/// A bar on standard error for work that lasts.
pub fn progress() -> Progress {
    let bar = ProgressBar::hidden();
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    Progress(Box::new(move |done, total| {
        if bar.is_hidden() {
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
        bar.set_length(total);
        bar.set_position(done);
        if done >= total {
            bar.finish_and_clear();
        }
    }))
}

/// The call that the words make; lists given as JSON are put in their places.
fn call_of(op: &OpDef, matches: &ArgMatches) -> Result<Call> {
    let mut given = Map::new();
    for name in structured::names(op) {
        let flag = structured::flag(&name);
        if let Some(path) = matches.try_get_one::<PathBuf>(&flag).ok().flatten() {
            given.insert(name, structured::read(&flag, path)?);
        }
    }
    op.call_from_words(matches, &given)
}

fn control_of(op: &OpDef, matches: &ArgMatches) -> Result<Control> {
    let flag = |name: &str| {
        matches
            .try_get_one::<bool>(name)
            .ok()
            .flatten()
            .copied()
            .unwrap_or(false)
    };
    let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    if !op.writes() {
        return Ok(Control::default());
    }
    let control = Control {
        confirmed: flag("confirm"),
        if_preview: text("if-preview"),
        preview: flag("preview"),
        request_key: text("request-key"),
    };
    control.check()?;
    Ok(control)
}

/// Shows a preview, and does it after all if a person at the terminal says so.
fn preview(
    session: &mut Session<'_>,
    (books, op, call): (&mut Books, &OpDef, &Call),
    control: &Control,
    answer: &Answer,
) -> Result<Exit, Stop> {
    warn(session, answer);
    show_loud(session, books, op, answer)?;
    if control.preview {
        return Ok(Exit::Done);
    }
    debug_assert_eq!(op.effect, Effect::Confirm);
    // Whoever said yes now would be refused.
    if session.may_ask && !answer.missing.is_empty() {
        return Err(No::Refused(answer.missing.clone()).into());
    }
    if !session.may_ask {
        return Ok(unasked(session, answer));
    }
    match question::yes_or_no(session.console, "Do it?", false) {
        Ok(true) => {}
        Ok(false) | Err(Unanswered) => {
            session
                .console
                .note("wb: not confirmed, nothing has changed");
            return Ok(Exit::Preview);
        }
    }
    let agreed = answer
        .value
        .get("preview")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let confirmed = Control {
        confirmed: true,
        if_preview: agreed,
        ..control.clone()
    };
    let done = books.call(op, call, &confirmed, Caller::plain(&session.by))?;
    show(session, books, op, &done).map_err(|stop| unshown(stop, op, &done))?;
    Ok(Exit::Done)
}

/// Ends the preview where nobody can be asked: says what a confirmation takes.
fn unasked(session: &mut Session<'_>, answer: &Answer) -> Exit {
    let note = if answer.missing.is_empty() {
        "wb: preview only, nothing has changed; add --confirm to do it"
    } else {
        "wb: preview only, nothing has changed; --confirm would be refused for what is missing"
    };
    session.console.note(note);
    let missing = No::Refused(answer.missing.clone());
    if let Some(remedy) = missing.sentences().1.filter(|_| !answer.missing.is_empty()) {
        let remedy = options::typed(&remedy, session.op);
        session.console.note(&format!("    {remedy}"));
    }
    Exit::Preview
}

/// Why a result could not be shown. What an operation did is never called undone, or it would be done again.
pub fn unshown(stop: Stop, op: &OpDef, answer: &Answer) -> Stop {
    let told = |name: &str| answer.value.get(name).unwrap_or(&Value::Null);
    match op.effect {
        Effect::Read => stop,
        _ if answer.preview => stop,
        Effect::Write | Effect::Confirm => {
            let seq = told("seq").as_i64().unwrap_or_default();
            only_unshown(
                stop,
                &format!("the change is in the books, which now end at event {seq}"),
            )
        }
        Effect::Upkeep => {
            let status = told("status")
                .as_str()
                .map(|s| format!(", with status {s}"));
            let status = status.unwrap_or_default();
            only_unshown(stop, &format!("{} is done{status}", op.verb))
        }
    }
}

/// Says what was done and that only its result could not be shown.
///
/// It is a fault, because every other way to end says that nothing changed.
pub fn only_unshown(stop: Stop, done: &str) -> Stop {
    match stop {
        Stop::No(no) => {
            let why = no.sentences().0.join("; ");
            let said = format!("{done}; only the result could not be shown: {why}");
            Stop::No(No::Fault(said))
        }
        Stop::PipeClosed => Stop::PipeClosed,
    }
}

/// Shows a result, unless a successful change was asked to be quiet.
fn show(session: &mut Session<'_>, books: &Books, op: &OpDef, answer: &Answer) -> Result<(), Stop> {
    warn(session, answer);
    // What was mended is news, however quiet the command was asked to be.
    let news = answer
        .value
        .get("status")
        .is_some_and(|status| status == "healed");
    let silent = session.quiet && op.effect != Effect::Read && !news;
    if silent {
        Ok(())
    } else {
        show_loud(session, books, op, answer)
    }
}

/// Says what a person should look at, however quiet the command was asked to be.
fn warn(session: &mut Session<'_>, answer: &Answer) {
    for warning in answer
        .value
        .get("warnings")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        // What is missing is told with its remedy at the end, where the preview ends with it.
        let ends = session.may_ask && answer.missing.iter().any(|m| *warning == m.message);
        if ends {
            continue;
        }
        session.console.note(&format!(
            "wb: warning: {}",
            options::typed(warning.as_str().unwrap_or_default(), session.op)
        ));
    }
}

fn show_loud(
    session: &mut Session<'_>,
    books: &Books,
    op: &OpDef,
    answer: &Answer,
) -> Result<(), Stop> {
    if session.json {
        return session.console.json(&Value::Object(answer.value.clone()));
    }
    let mut sheet = answer.sheet(&heading(op, Some(answer)), &books.page()?)?;
    if let Some(name) = &session.written {
        // What comes next has been done.
        sheet.notes.retain(|note| !note.starts_with("Next  "));
        sheet.notes.push(format!("Written to {name}"));
    }
    for note in &mut sheet.notes {
        *note = sentence(options::typed(note, Some(op)));
    }
    if op.effect == Effect::Read {
        print_sheet(session, &sheet)
    } else {
        print_done(session, &sheet)
    }
}

/// A note as a sentence on a page: its first word begins upper case, unless that is a name of the program's.
fn sentence(note: String) -> String {
    let first = note.split(' ').next().unwrap_or_default();
    let is_word = first
        .chars()
        .all(|c| c.is_ascii_alphabetic() || matches!(c, ',' | ':' | '\''));
    let mut letters = note.chars();
    match letters.next() {
        Some(letter) if is_word && letter.is_ascii_lowercase() && first != "wb" => {
            format!("{}{}", letter.to_ascii_uppercase(), letters.as_str())
        }
        _ => note,
    }
}

/// Prints a page about what is done by now: a refusal of the form must not say that nothing changed.
pub fn print_done(session: &mut Session<'_>, sheet: &Sheet) -> Result<(), Stop> {
    if session.csv && present::csv::render(sheet).is_none() {
        session
            .console
            .note("wb: note: this result is not one table, so it is shown as text");
        let text = present::text::render(sheet, session.console.style());
        return session.console.print(&text);
    }
    print_sheet(session, sheet)
}

/// What stands above a result that has no page of its own: of a question what was asked, of a change what became of it.
pub fn heading(op: &OpDef, answer: Option<&Answer>) -> String {
    let changes = answer.filter(|_| op.effect != Effect::Read);
    match changes {
        None => op.description().0,
        Some(answer) if answer.preview => format!("{} · preview: nothing has changed", op.verb),
        Some(answer) if replayed(answer) => {
            format!(
                "{}: done before under this key; nothing was done again",
                op.verb
            )
        }
        Some(_) => format!("{}: done", op.verb),
    }
}

/// Whether a change was made by an earlier call under the same key.
fn replayed(answer: &Answer) -> bool {
    answer.value.get("replayed").is_some_and(|r| r == true)
}

/// Prints a page as text, or its table as CSV.
pub fn print_sheet(session: &mut Session<'_>, sheet: &Sheet) -> Result<(), Stop> {
    if session.csv {
        let csv = present::csv::render(sheet).ok_or_else(|| {
            No::argument(
                "csv",
                "this result is not one table; leave --csv out, or take --json",
            )
        })?;
        return session.console.print(&csv);
    }
    let text = present::text::render(sheet, session.console.style());
    session.console.print(&text)
}
