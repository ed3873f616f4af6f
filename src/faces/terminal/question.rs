//! A question to the person at the terminal: a line that ends with Enter. What may be asked, and what follows from an answer,
//! is the asker's business.

use std::{
    cell::Cell,
    fmt,
    io::{self, BufRead, IsTerminal},
    sync::{
        Arc, LazyLock, Once,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use dialoguer::{Input, theme::Theme};
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    iterator::Signals,
    low_level::emulate_default_handler,
};
use unicode_width::UnicodeWidthStr;

use super::Console;
use crate::{model::visible, present::text::filled, world::World};

/// The narrowest screen on which a line can be edited. On a narrower one the prompts themselves would be broken.
const EDITED_COLUMNS_MIN: usize = 40;

/// The question has no answer: the input has ended, or cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unanswered;

/// Where answers come from.
pub enum Asked {
    /// There is nobody to ask.
    Nobody,
    /// The person at a terminal of so many columns, who edits the line.
    Person(usize),
    /// The person at a terminal that cannot move its cursor or is very narrow, where the kernel edits the line.
    Plain,
    /// Lines that were written before, for tests.
    Kept(Box<dyn BufRead>),
}

/// What is asked, and which answers are taken.
pub struct Question<'q> {
    /// The words before the answer, with their colon.
    pub prompt: String,
    /// What an empty line stands for.
    pub default: Option<&'q str>,
    /// Refuses an answer with the reason.
    pub check: &'q dyn Fn(&str) -> Result<(), String>,
}

impl Question<'_> {
    /// The answer that a line gives.
    fn answer<'a>(&'a self, line: &'a str) -> &'a str {
        match (line.trim(), self.default) {
            ("", Some(default)) => default,
            (answer, _) => answer,
        }
    }

    fn checked(&self, line: &str) -> Result<(), String> {
        (self.check)(self.answer(line))
    }
}

impl Asked {
    /// Standard input, where a person sits at it.
    pub fn terminal(world: &World, columns: Option<usize>) -> Asked {
        let columns = columns.filter(|c| *c >= EDITED_COLUMNS_MIN);
        match columns.filter(|_| !world.terminal_is_dumb()) {
            _ if !io::stdin().is_terminal() => Asked::Nobody,
            Some(columns) => Asked::Person(columns),
            None => Asked::Plain,
        }
    }

    /// The next line, without its end, where no line is edited here.
    pub(super) fn line(&mut self) -> Result<String, Unanswered> {
        let mut line = String::new();
        let read = match self {
            Asked::Nobody | Asked::Person(_) => Ok(0),
            Asked::Plain => io::stdin().read_line(&mut line),
            Asked::Kept(lines) => lines.read_line(&mut line),
        };
        match read {
            Ok(1..) => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
            _ => Err(Unanswered),
        }
    }

    /// Forgets what was typed before the question stood there. A terminal that cannot is asked all the same.
    fn forget(&self) {
        if matches!(self, Asked::Person(_) | Asked::Plain) {
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }
}

/// Asks until the answer fits; each that does not is told why.
pub fn ask(console: &mut Console, question: &Question<'_>) -> Result<String, Unanswered> {
    if let Asked::Person(columns) = console.asked {
        return edited(question, columns);
    }
    loop {
        let line = console.answer(&question.prompt)?;
        match question.checked(&line) {
            Ok(()) => return Ok(question.answer(&line).to_owned()),
            Err(why) => console.note(&format!("  {}", visible(&why))),
        }
    }
}

/// Asks until the answer is yes or no, in whatever case; an empty one is the default.
///
/// The whole line is judged: dialoguer's own `Confirm` takes the last y or n among any keys, so that a line that was meant for
/// another window could post an entry.
pub fn yes_or_no(console: &mut Console, prompt: &str, default: bool) -> Result<bool, Unanswered> {
    let choice = if default { "[Y/n]" } else { "[y/N]" };
    // An answer to what could not be read yet is none.
    console.asked.forget();
    let answer = ask(
        console,
        &Question {
            prompt: format!("{prompt} {choice} "),
            default: Some(if default { "yes" } else { "no" }),
            check: &|answer| {
                let known = said(answer).map(drop);
                known.ok_or_else(|| "Answer yes or no.".to_owned())
            },
        },
    )?;
    said(&answer).ok_or(Unanswered)
}

fn said(answer: &str) -> Option<bool> {
    match answer.to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// Whether a signal came that ends the program.
static ENDED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Sees to it, once, that whoever is ended at a question by a signal leaves the terminal as it was found: a thread of its own puts
/// the modes back that were there before the first question, and the signal then does what it does by default.
///
/// Where that cannot be had the question is asked all the same; a signal then ends the program and leaves the terminal to the
/// shell, as with any program that edits lines.
fn restore_when_ended() {
    const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let Ok(found) = tcgetattr(io::stdin()) else {
            return;
        };
        let Ok(mut signals) = Signals::new(ENDING) else {
            return;
        };
        let noted = ENDING.map(|signal| flag::register(signal, Arc::clone(&ENDED)));
        let started = thread::Builder::new().spawn(move || {
            loop {
                let came: Vec<i32> = signals.wait().collect();
                // Whatever disturbs its reading dialoguer takes for the interrupt key: another signal came first.
                let first = came.iter().find(|signal| **signal != SIGINT);
                if let Some(signal) = first.or(came.first()) {
                    // The terminal may be gone, which is why it hung up.
                    let _ = tcsetattr(io::stdin(), OptionalActions::Now, &found);
                    let _ = emulate_default_handler(*signal);
                }
            }
        });
        if started.is_err() || noted.iter().any(Result::is_err) {
            // The handlers stay when who listens to them is gone: without the thread they do what is done by default.
            for signal in ENDING {
                let always = Arc::new(AtomicBool::new(true));
                let _ = flag::register_conditional_default(signal, always);
            }
        }
    });
}

/// Waits for the end where a signal came that ends the program: the thread that restores the terminal ends it.
fn wait_if_ended() {
    while ENDED.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Asks at a terminal. The interrupt key, and a signal that ends the program, end it as everywhere else; nothing of the terminal is
/// left changed.
fn edited(question: &Question<'_>, columns: usize) -> Result<String, Unanswered> {
    restore_when_ended();
    let look = Look {
        columns,
        rows: Cell::new(0),
    };
    let input = Input::<String>::with_theme(&look)
        .with_prompt(question.prompt.as_str())
        .show_default(false)
        .allow_empty(true)
        .validate_with(|line: &String| {
            look.typed(&question.prompt, line);
            question.checked(line)
        });
    let input = match question.default {
        Some(default) => input.default(default.to_owned()),
        None => input,
    };
    let line = input.interact_text();
    wait_if_ended();
    let line = line.map_err(|_| Unanswered)?;
    Ok(question.answer(&line).to_owned())
}

/// How questions look: as everything else here, without colour and broken between words.
struct Look {
    columns: usize,
    /// How many rows above the cursor the line that was just typed begins.
    rows: Cell<usize>,
}

impl Look {
    fn typed(&self, prompt: &str, line: &str) {
        let cells = prompt.width() + line.width();
        self.rows.set(cells.saturating_sub(1) / self.columns);
    }

    /// Clears what dialoguer leaves of a line that took more than one row, and writes a text in its place.
    fn instead(&self, f: &mut dyn fmt::Write, text: &str) -> fmt::Result {
        match self.rows.get() {
            0 => {}
            rows => write!(f, "\u{1b}[{rows}A\r\u{1b}[J")?,
        }
        f.write_str(&filled(text, self.columns))
    }
}

impl Theme for Look {
    fn format_error(&self, f: &mut dyn fmt::Write, why: &str) -> fmt::Result {
        self.instead(f, &format!("  {}", visible(why)))
    }

    fn format_input_prompt(
        &self,
        f: &mut dyn fmt::Write,
        prompt: &str,
        _: Option<&str>,
    ) -> fmt::Result {
        f.write_str(prompt)
    }

    fn format_input_prompt_selection(
        &self,
        f: &mut dyn fmt::Write,
        prompt: &str,
        answer: &str,
    ) -> fmt::Result {
        self.instead(f, &format!("{prompt}{}", visible(answer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &'static str, default: bool) -> Result<bool, Unanswered> {
        let sink = || Box::new(io::sink());
        let mut console =
            Console::kept(sink(), sink()).answered(Box::new(io::Cursor::new(answers)));
        yes_or_no(&mut console, "Do it?", default)
    }

    /// Yes and no are taken in any case and in both lengths; other words are asked about again; the end is no answer.
    #[test]
    fn answers() {
        for yes in ["y\n", "Y\n", "yes\n", " YES \r\n", "maybe\nyn\nyes\n"] {
            assert_eq!(asked(yes, false), Ok(true), "{yes}");
        }
        for no in ["n\n", "No\n", "yess\nNO\n"] {
            assert_eq!(asked(no, true), Ok(false), "{no}");
        }
        assert_eq!(
            (asked("\n", true), asked("\n", false)),
            (Ok(true), Ok(false))
        );
        assert_eq!(asked("", true), Err(Unanswered));
        assert_eq!(asked("perhaps\n", true), Err(Unanswered));
    }
}
