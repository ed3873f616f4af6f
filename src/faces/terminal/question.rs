//! A question to the person at the terminal: a line that ends with Enter. What may be asked, and what follows from an answer,
//! is the asker's business.

use std::io::{self, BufRead, IsTerminal};

use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr,
    tcsetattr,
};

use super::Console;

/// The most bytes of an answer; what is longer is no answer.
const ANSWER_BYTES_MAX: usize = 4096;

/// Why a question has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// The input has ended (Ctrl-D).
    Ended,
    /// The person wants out (Ctrl-C).
    Stopped,
}

/// Where answers come from.
pub enum Asked {
    /// There is nobody to ask.
    Nobody,
    /// The person at the terminal.
    Person,
    /// Lines that were written before, for tests.
    Kept(Box<dyn BufRead>),
}

impl Asked {
    /// Standard input, where a person sits at it.
    pub fn terminal() -> Asked {
        if io::stdin().is_terminal() {
            Asked::Person
        } else {
            Asked::Nobody
        }
    }

    /// The next line, without its end.
    pub(super) fn line(&mut self) -> Result<String, Unanswered> {
        let line = match self {
            Asked::Nobody => None,
            Asked::Person => typed()?,
            Asked::Kept(lines) => {
                let mut line = String::new();
                let read = lines.read_line(&mut line).unwrap_or_default();
                (read > 0).then_some(line)
            }
        };
        let line = line.ok_or(Unanswered::Ended)?;
        Ok(line.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// Forgets what was typed before the question stood there. A terminal that cannot is asked all the same.
    fn forget(&self) {
        if matches!(self, Asked::Person) {
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }
}

/// Asks until the answer is yes or no, in whatever case; an empty one is the default.
pub fn yes_or_no(console: &mut Console, prompt: &str, default: bool) -> Result<bool, Unanswered> {
    let choice = if default { "[Y/n]" } else { "[y/N]" };
    // An answer to what could not be read yet is none.
    console.asked.forget();
    loop {
        let answer = console.answer(&format!("{prompt} {choice} "))?;
        match answer.trim().to_lowercase().as_str() {
            "" => return Ok(default),
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => console.note("Answer yes or no."),
        }
    }
}

/// A line from the terminal, as the kernel edits it; `None` at the end of the input.
///
/// The interrupt key ends the line instead of the program, so that the command can say what has become of it, and nothing
/// of the screen has to be put right afterwards.
fn typed() -> Result<Option<String>, Unanswered> {
    let input = io::stdin();
    let restored = Restored(tcgetattr(&input).ok());
    let interrupt = restored.0.as_ref().map_or(0, |was| {
        let mut own = was.clone();
        let interrupt = own.special_codes[SpecialCodeIndex::VINTR];
        own.special_codes[SpecialCodeIndex::VINTR] = 0;
        own.special_codes[SpecialCodeIndex::VEOL] = interrupt;
        own.local_modes |= LocalModes::ICANON | LocalModes::ECHO;
        // Without it the interrupt key ends the program, as anywhere else.
        let _ = tcsetattr(&input, OptionalActions::Now, &own);
        interrupt
    });
    let mut line = Vec::new();
    while line.len() < ANSWER_BYTES_MAX {
        let mut piece = [0; 256];
        match rustix::io::read(&input, &mut piece) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) | Ok(0) => break,
            Ok(count) => line.extend_from_slice(&piece[..count]),
        }
        match line.last() {
            Some(b'\n') => break,
            Some(last) if *last == interrupt && interrupt != 0 => return Err(Unanswered::Stopped),
            _ => {}
        }
    }
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// Gives the terminal back as it was found.
struct Restored(Option<Termios>);

impl Drop for Restored {
    fn drop(&mut self) {
        if let Some(was) = &self.0 {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, was);
        }
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
        assert_eq!(asked("", true), Err(Unanswered::Ended));
        assert_eq!(asked("perhaps\n", true), Err(Unanswered::Ended));
    }
}
