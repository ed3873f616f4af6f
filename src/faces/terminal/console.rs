//! Where the terminal face writes and what it knows of the person's screen. Everything it prints goes through here.

use std::io::{self, IsTerminal, Write};

use crate::{engine::No, present::text::TextStyle, world::World};

/// The two streams and the screen.
pub struct Console {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    /// Whether a person can be asked.
    pub interactive: bool,
    style: TextStyle,
}

impl Console {
    /// The real streams.
    pub fn real(world: &World) -> Console {
        let (out, err) = (io::stdout(), io::stderr());
        let on_screen = out.is_terminal();
        let width = rustix::termios::tcgetwinsize(&out)
            .ok()
            .map(|size| usize::from(size.ws_col));
        Console {
            interactive: io::stdin().is_terminal() && err.is_terminal(),
            style: TextStyle {
                width: width.filter(|_| on_screen),
                colour: on_screen && !world.wants_no_colour(),
            },
            out: Box::new(io::BufWriter::new(out)),
            err: Box::new(err),
        }
    }

    /// Streams that a caller keeps, with nobody to ask and no screen.
    pub fn kept(out: Box<dyn Write>, err: Box<dyn Write>) -> Console {
        Console {
            out,
            err,
            interactive: false,
            style: TextStyle {
                width: None,
                colour: false,
            },
        }
    }

    /// How text is to look.
    pub fn style(&self) -> &TextStyle {
        &self.style
    }

    /// Colour as the person asked for it: `always`, `never`, else as it was found.
    pub fn set_colour(&mut self, wish: Option<&str>) {
        match wish {
            Some("always") => self.style.colour = true,
            Some("never") => self.style.colour = false,
            _ => {}
        }
    }

    /// Whether progress can be drawn.
    pub fn draws_progress(&self) -> bool {
        self.interactive
    }

    /// Writes a result.
    pub fn print(&mut self, text: &str) -> Result<(), Stop> {
        self.out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush())
            .map_err(Stop::from)
    }

    /// Writes a note beside the results. A closed standard error loses notes and nothing else.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "{text}");
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
impl From<crate::model::Refusal> for Stop {
    fn from(refusal: crate::model::Refusal) -> Stop {
        Stop::No(refusal.into())
    }
}
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Stop::PipeClosed;
        }
        let why = format!("writing the result: {error}");
        Stop::No(No::Unavailable(crate::model::Refusal::new(
            "output_failed",
            why,
        )))
    }
}
