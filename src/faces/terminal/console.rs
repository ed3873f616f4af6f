//! Where the terminal face writes and what it knows of the person's screen. Everything it prints goes through here, and
//! here what cannot be seen is shown.

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
};

use serde_json::Value;

use crate::{
    engine::No,
    model::{Refusal, has_hostile, printable_json, visible},
    present::text::{TextStyle, filled},
    world::World,
};

use super::question::{Asked, Unanswered};

/// The two streams and the screen.
pub struct Console {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    /// Whether results go to a screen rather than into a pipe or a file.
    on_screen: bool,
    /// Whether notes may be coloured.
    err_colour: bool,
    /// Who can be asked.
    pub(super) asked: Asked,
    /// The width that notes are set to, where they go to a screen.
    notes_width: Option<usize>,
    style: TextStyle,
}

impl Console {
    /// The real streams.
    pub fn real(world: &World) -> Console {
        let (out, err) = (io::stdout(), io::stderr());
        let on_screen = out.is_terminal();
        let width = columns(&out).or_else(|| world.columns());
        let notes_width = columns(&err).or_else(|| world.columns());
        let talks = err.is_terminal();
        Console {
            asked: if talks {
                Asked::terminal(world, notes_width)
            } else {
                Asked::Nobody
            },
            notes_width: notes_width.filter(|_| talks),
            style: TextStyle {
                width: width.filter(|_| on_screen),
                colour: on_screen && !world.wants_no_colour(),
            },
            on_screen,
            err_colour: err.is_terminal() && !world.wants_no_colour(),
            out: Box::new(io::BufWriter::new(out)),
            err: Box::new(err),
        }
    }

    /// Streams that a caller keeps, with nobody to ask and no screen.
    pub fn kept(out: Box<dyn Write>, err: Box<dyn Write>) -> Console {
        Console {
            out,
            err,
            on_screen: false,
            err_colour: false,
            asked: Asked::Nobody,
            notes_width: None,
            style: TextStyle {
                width: None,
                colour: false,
            },
        }
    }

    /// The same streams as a screen of this width, without colour and with nobody to ask.
    #[must_use]
    pub fn as_screen(mut self, width: usize) -> Console {
        self.on_screen = true;
        self.style.width = Some(width);
        self.notes_width = Some(width);
        self
    }

    /// The same streams with someone who answers these lines.
    #[must_use]
    pub fn answered(mut self, lines: Box<dyn io::BufRead>) -> Console {
        self.asked = Asked::Kept(lines);
        self
    }

    /// Whether a person can be asked.
    pub fn interactive(&self) -> bool {
        !matches!(self.asked, Asked::Nobody)
    }

    /// Asks, and gives the line that was answered. A question that nobody answers gets a line end of its own.
    pub fn answer(&mut self, prompt: &str) -> Result<String, Unanswered> {
        let asked = self.set(prompt);
        let _ = write!(self.err, "{asked}").and_then(|()| self.err.flush());
        let answer = self.asked.line();
        if answer.is_err() {
            let _ = writeln!(self.err);
        }
        answer
    }

    /// How text is to look.
    pub fn style(&self) -> &TextStyle {
        &self.style
    }

    /// Whether notes may be coloured.
    pub fn colours_notes(&self) -> bool {
        self.err_colour
    }

    /// Colour as the person asked for it: `always`, `never`, else as it was found.
    pub fn set_colour(&mut self, wish: Option<&str>) {
        match wish {
            Some("always") => (self.style.colour, self.err_colour) = (true, true),
            Some("never") => (self.style.colour, self.err_colour) = (false, false),
            _ => {}
        }
    }

    /// Whether progress can be drawn.
    pub fn draws_progress(&self) -> bool {
        matches!(self.asked, Asked::Person(_))
    }

    /// Writes a result. On a screen only letters and our own colours pass; a pipe gets the bytes.
    pub fn print(&mut self, text: &str) -> Result<(), Stop> {
        let shown = if self.on_screen {
            seen(text, self.style.colour)
        } else {
            Cow::Borrowed(text)
        };
        self.write(&shown)
    }

    /// Writes a result as one line of JSON. On a screen what cannot be seen is escaped as JSON escapes, so that it stays the
    /// same value; a pipe gets the bytes that the tool gives.
    pub fn json(&mut self, value: &Value) -> Result<(), Stop> {
        let text = format!("{value}\n");
        self.write(&printable_json(&text))
    }

    fn write(&mut self, text: &str) -> Result<(), Stop> {
        self.bytes(text.as_bytes())
    }

    /// Writes a file as it is.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.out
            .write_all(bytes)
            .and_then(|()| self.out.flush())
            .map_err(Stop::from)
    }

    /// Writes a note beside the results, with what cannot be seen shown. A closed standard error loses notes and nothing else.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", self.set(text));
    }

    /// Whether every line of a note fits on the screen for notes.
    pub fn fits(&self, text: &str) -> bool {
        self.notes_width.is_none() || self.set(text) == text
    }

    /// Words as the screen for notes shows them: nothing hidden, broken between words.
    fn set(&self, text: &str) -> String {
        let shown = seen(text, false);
        match self.notes_width {
            Some(width) => filled(&shown, width),
            None => shown.into_owned(),
        }
    }

    /// The same for a note that was coloured here.
    pub fn coloured_note(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", seen(text, self.err_colour));
    }
}

/// How wide the terminal behind a stream is, if it says so.
fn columns(stream: impl std::os::fd::AsFd) -> Option<usize> {
    let told = rustix::termios::tcgetwinsize(stream).ok();
    told.map(|size| usize::from(size.ws_col)).filter(|w| *w > 0)
}

/// A text as a screen may get it: line ends and, where wanted, colours pass; all else that cannot be seen is shown.
fn seen(text: &str, colours: bool) -> Cow<'_, str> {
    if !has_hostile(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let colour = if colours { colour(rest) } else { 0 };
        let len = if colour > 0 { colour } else { first.len_utf8() };
        let (piece, after) = rest.split_at(len);
        if colour > 0 || first == '\n' {
            shown.push_str(piece);
        } else {
            shown.push_str(&visible(piece));
        }
        rest = after;
    }
    Cow::Owned(shown)
}

/// The bytes of the sequence at the start of `text` that sets a colour or a weight (SGR), 0 when there is none.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let digits = rest
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b';')
        .count();
    match rest.as_bytes().get(digits) {
        Some(b'm') => 2 + digits + 1,
        _ => 0,
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub enum Stop {
    /// It was told no.
    No(No),
    /// Nobody reads the results any more.
    PipeClosed,
}

impl From<No> for Stop {
    fn from(no: No) -> Stop {
        Stop::No(no)
    }
}
impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::No(refusal.into())
    }
}
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Stop::PipeClosed;
        }
        let why = format!("writing the result: {error}");
        Stop::No(No::Unavailable(Refusal::new("output_failed", why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line ends and colours pass where they may; a title set, a hidden letter and a C1 code are shown.
    #[test]
    fn what_a_screen_gets() {
        let text = "\u{1b}[1mA\u{1b}[0m\n\u{1b}]0;x\u{7}\u{202e}b\u{9b}2J\t";
        let shown = "\u{1b}[1mA\u{1b}[0m\n\\u{1b}]0;x\\u{7}\\u{202e}b\\u{9b}2J\\u{9}";
        assert_eq!(seen(text, true), shown);
        assert_eq!(
            seen("\u{1b}[1mA\u{1b}[0m\n", false),
            "\\u{1b}[1mA\\u{1b}[0m\n"
        );
        assert_eq!(seen("plain\nwords", false), "plain\nwords");
    }

    /// Escaped JSON is the same value, and nothing in it is hidden.
    #[test]
    fn json_on_a_screen() {
        let value = serde_json::json!({"a": "x\u{202e}\u{e0001}\u{7f}é"});
        let text = format!("{value}\n");
        let shown = printable_json(&text);
        assert_eq!(shown, "{\"a\":\"x\\u202e\\udb40\\udc01\\u007fé\"}\n");
        let read: Value = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(read, value);
    }
}
