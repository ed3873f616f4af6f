//! The chain: what a line must be to follow the line before it. Opening, verifying and folding again all ask here, so that
//! none of them passes what another refuses. Reads no table and folds nothing.

use super::{
    head::Head,
    journal::{self, Envelope},
};
use crate::model::is_hex_of;

/// A line as the journal's table holds it: its place, its text, its stored hash.
pub(super) type Stored<'l> = (i64, &'l str, &'l [u8]);

/// What the next line must follow: where the journal stands, and whether its last command goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// The last line.
    pub head: Head,
    /// The first line of the last line's command.
    txn: i64,
    /// Whether the last line says that another of its command follows.
    more: bool,
}

impl Chain {
    /// Before the first line.
    pub const START: Chain = Chain {
        head: Head::EMPTY,
        txn: 0,
        more: false,
    };

    /// After a line that is taken as it stands, without asking what it follows.
    ///
    /// Refuses: a line that does not have its hash or cannot be read.
    pub fn after(line: Stored<'_>) -> Result<Chain, String> {
        let hash = hashed(line)?;
        Ok(Chain::at(line.0, hash, &read(line.1)?))
    }

    fn at(seq: i64, hash: [u8; 32], envelope: &Envelope<'_>) -> Chain {
        Chain {
            head: Head { seq, hash },
            txn: envelope.txn,
            more: envelope.more,
        }
    }

    /// The chain with one more line, and the line as it reads.
    ///
    /// Refuses: a line that does not have its hash, cannot be read, stands in another's place, does not follow the line
    /// before it, or belongs to another command than the line before it says.
    pub fn follow<'l>(&self, line: Stored<'l>) -> Result<(Chain, Envelope<'l>), String> {
        let hash = hashed(line)?;
        let envelope = read(line.1)?;
        let (seq, place) = (line.0, self.head.seq + 1);
        if seq != place || envelope.seq != seq {
            let stands = if seq == place { envelope.seq } else { seq };
            return Err(format!("event {stands} stands where event {place} must be"));
        }
        if !is_hex_of(&envelope.prev, &self.head.hash) {
            return Err("it does not follow the line before it".to_owned());
        }
        if self.more && envelope.txn != self.txn {
            return Err(format!(
                "the command of event {} goes on, but this line is of another",
                self.txn
            ));
        }
        if !self.more && envelope.txn != seq {
            return Err(format!(
                "the command of event {} had ended before it",
                envelope.txn
            ));
        }
        Ok((Chain::at(seq, hash, &envelope), envelope))
    }

    /// Refuses a journal that ends within a command.
    pub fn ended(&self) -> Result<(), String> {
        if self.more {
            return Err(format!(
                "the command of event {} goes on, but the journal ends",
                self.txn
            ));
        }
        Ok(())
    }
}

/// The hash of a line.
///
/// Refuses: a line that is stored with another.
pub(super) fn hashed((_, body, stored): Stored<'_>) -> Result<[u8; 32], String> {
    let hash = journal::line_hash(body);
    if stored != hash {
        return Err("it does not have its hash".to_owned());
    }
    Ok(hash)
}

/// A line as it reads.
/// Whether a text can be the first line of a journal, with its own hash or with this one. For tests and fuzzing alone.
#[cfg(any(test, fuzzing))]
pub fn line_holds(body: &str, hash: Option<&[u8; 32]>) -> bool {
    let own = journal::line_hash(body);
    Chain::START.follow((1, body, hash.unwrap_or(&own))).is_ok()
}

pub(super) fn read(body: &str) -> Result<Envelope<'_>, String> {
    serde_json::from_str(body).map_err(|e| format!("it cannot be read: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of command `txn` after the line with this hash, and its own hash.
    fn line(prev: [u8; 32], (seq, txn): (i64, i64), more: bool) -> (String, [u8; 32]) {
        let more = if more { "\"more\":true," } else { "" };
        let body = format!(
            "{{\"seq\":{seq},\"txn\":{txn},{more}\"at\":\"2026-11-30T08:51:40Z\",\"by\":{{}},\"type\":\"x.happened\",\"v\":1,\
             \"data\":{{}},\"prev\":\"{}\"}}",
            crate::model::hex(&prev)
        );
        let hash = journal::line_hash(&body);
        (body, hash)
    }

    /// Follows lines, each given as its command and whether it says that another follows; gives the first fault, and its place.
    fn fault(lines: &[(i64, bool)]) -> Option<(i64, String)> {
        let mut chain = Chain::START;
        for (seq, (txn, more)) in (1..).zip(lines) {
            let (body, hash) = line(chain.head.hash, (seq, *txn), *more);
            match chain.follow((seq, &body, &hash)) {
                Ok((next, _)) => chain = next,
                Err(why) => return Some((seq, why)),
            }
        }
        let end = chain.head.seq + 1;
        chain.ended().err().map(|why| (end, why))
    }

    /// A command's lines say that another follows, all but the last; where that and the command's number disagree the chain
    /// breaks, and so it does where the journal ends within a command.
    #[test]
    fn commands() {
        assert_eq!(
            fault(&[(1, false), (2, true), (2, true), (2, false), (5, false)]),
            None
        );
        let no = |seq, why: &str| Some((seq, why.to_owned()));
        assert_eq!(
            fault(&[(1, true), (2, false)]),
            no(
                2,
                "the command of event 1 goes on, but this line is of another"
            )
        );
        assert_eq!(
            fault(&[(1, false), (1, false)]),
            no(2, "the command of event 1 had ended before it")
        );
        assert_eq!(
            fault(&[(1, false), (2, true)]),
            no(3, "the command of event 2 goes on, but the journal ends")
        );
        assert_eq!(
            fault(&[(2, false)]),
            no(1, "the command of event 2 had ended before it")
        );
    }

    /// A line without its hash, out of place, or after another line than it says, does not follow.
    #[test]
    fn links() {
        let (first, hash) = line([0; 32], (1, 1), false);
        let chain = Chain::after((1, &first, &hash)).expect("a line");
        assert_eq!(
            Chain::START.follow((1, &first, &hash)).map(|(c, _)| c),
            Ok(chain)
        );
        let why = |found: Result<(Chain, Envelope<'_>), String>| found.map(|(c, _)| c);
        let no = |why: &str| Err(why.to_owned());
        assert_eq!(
            why(Chain::START.follow((1, &first, &[1; 32]))),
            no("it does not have its hash")
        );
        assert_eq!(
            why(chain.follow((1, &first, &hash))),
            no("event 1 stands where event 2 must be")
        );
        let (second, hash) = line([9; 32], (2, 2), false);
        assert_eq!(
            why(chain.follow((2, &second, &hash))),
            no("it does not follow the line before it")
        );
    }
}
