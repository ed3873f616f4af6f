//! Lines in and lines out: the bounded reader and the flushing writer. What a line means is decided in `table`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};

/// Bytes asked from the input at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// What went wrong with the input or the output, kept for whoever waits for the end; the first failure stays.
pub(super) type Failure = Arc<OnceLock<io::Error>>;

/// One line of input.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// The line without its newline.
    Whole(Vec<u8>),
    /// The line was longer than the limit; its bytes are gone.
    TooLong,
}

/// One message on its way out, with the place where its writing is reported.
pub(super) struct Parcel {
    /// The message and its newline.
    pub bytes: Vec<u8>,
    /// Told once the bytes are written and flushed, or could not be.
    pub written: oneshot::Sender<io::Result<()>>,
}

/// Cuts an input into lines that hold at most `limit_bytes`, the newline not counted.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    limit_bytes: usize,
}

impl<R: Read> Lines<R> {
    /// Lines of `input`.
    pub fn new(input: R, limit_bytes: usize) -> Lines<R> {
        let input = BufReader::with_capacity(CHUNK_BYTES, input);
        Lines { input, limit_bytes }
    }

    /// The next line, also the last one without a newline; `None` at the end of the input.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                let nothing = line.is_empty() && !too_long;
                return Ok((!nothing).then(|| finished(line, too_long)));
            }
            let newline = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..newline.unwrap_or(chunk.len())];
            too_long |= part.len() > self.limit_bytes.saturating_sub(line.len());
            if too_long {
                // Given back at once: the rest of an endless line must not cost memory.
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(newline.is_some());
            self.input.consume(used);
            if newline.is_some() {
                return Ok(Some(finished(line, too_long)));
            }
        }
    }
}

fn finished(line: Vec<u8>, too_long: bool) -> Line {
    if too_long {
        Line::TooLong
    } else {
        Line::Whole(line)
    }
}

/// Hands every line of `input` to `inbox`, until the input ends or nobody listens.
pub(super) fn read_all(mut lines: Lines<impl Read>, inbox: &mpsc::Sender<Line>, failure: &Failure) {
    loop {
        match lines.next() {
            Ok(Some(line)) => {
                if inbox.blocking_send(line).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => return keep(failure, error),
        }
    }
}

/// Writes and flushes every parcel in order; ends with the last sender, or at the first failure.
pub(super) fn write_all(
    mut output: impl Write,
    mut outbox: mpsc::Receiver<Parcel>,
    failure: &Failure,
) {
    while let Some(parcel) = outbox.blocking_recv() {
        let result = output
            .write_all(&parcel.bytes)
            .and_then(|()| output.flush());
        let kind = result.as_ref().err().map(io::Error::kind);
        if let Err(error) = result {
            keep(failure, error);
        }
        // Whoever sent the parcel may have stopped waiting; the bytes are written all the same.
        let _ = parcel
            .written
            .send(kind.map_or(Ok(()), |kind| Err(kind.into())));
        if kind.is_some() {
            return;
        }
    }
}

/// Keeps `error` unless an earlier failure is known: that one is the cause.
pub(super) fn keep(failure: &Failure, error: io::Error) {
    let _ = failure.set(error);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(input: &[u8], limit_bytes: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, limit_bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("a slice can be read") {
            all.push(line);
        }
        all
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    /// A line of exactly the limit is whole, one byte more is too long, and the next line is whole again.
    #[test]
    fn limit_is_inclusive() {
        assert_eq!(
            cut(b"1234\n12345\n12\n", 4),
            vec![whole("1234"), Line::TooLong, whole("12")]
        );
    }

    /// The last line counts without its newline, and an input without lines has none.
    #[test]
    fn last_line_needs_no_newline() {
        assert_eq!(cut(b"a\nb", 9), vec![whole("a"), whole("b")]);
        assert_eq!(cut(b"a\n123456", 4), vec![whole("a"), Line::TooLong]);
        assert_eq!(cut(b"", 9), vec![]);
        assert_eq!(cut(b"\n\n", 9), vec![whole(""), whole("")]);
    }

    /// A line longer than a chunk arrives as one line.
    #[test]
    fn chunks_are_joined() {
        let long = "x".repeat(3 * CHUNK_BYTES + 1);
        let input = format!("{long}\ny\n");
        assert_eq!(
            cut(input.as_bytes(), input.len()),
            vec![whole(&long), whole("y")]
        );
    }
}
