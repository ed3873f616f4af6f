//! The journal: one line of JSON an event, each holding the hash of the line before it.
//!
//! A line is stored and hashed as the exact bytes that were written, never serialised again. Its hash is the SHA-256 of
//! the line with its newline, so that `sed -n 5p journal.jsonl | sha256sum` is what line 6 calls `prev`.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

use super::{
    fault::{Doing, StoreError, StoreResult},
    head::Head,
};
use crate::model::hex;

pub(super) const DDL: &str = "\
CREATE TABLE event(seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT,'the journal is append-only'); END;
CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT,'the journal is append-only'); END;
";

/// A line of the journal, read. Duplicate and unknown members are refused.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Envelope<'a> {
    /// Its place, from 1.
    pub seq: i64,
    /// The sequence number of the first event of the same command.
    pub txn: i64,
    /// Whether another line of the same command follows. Written only where it is so.
    #[serde(default, deserialize_with = "only_true")]
    pub more: bool,
    /// When it was written, UTC.
    #[serde(borrow)]
    pub at: Cow<'a, str>,
    /// Who wrote it, as JSON.
    #[serde(borrow, deserialize_with = "as_written")]
    pub by: &'a str,
    /// The request key of the command, on its first event.
    #[serde(borrow, default)]
    pub key: Option<Cow<'a, str>>,
    /// The hash of the operation and its arguments, beside a request key.
    #[serde(borrow, default)]
    pub args_sha256: Option<Cow<'a, str>>,
    /// The command's answer as JSON, beside a request key.
    #[serde(borrow, default, deserialize_with = "as_written_if_there")]
    pub answer: Option<&'a str>,
    /// What happened.
    #[serde(borrow, rename = "type")]
    pub kind: Cow<'a, str>,
    /// Which shape its data has.
    pub v: u32,
    /// The facts, as JSON.
    #[serde(borrow, deserialize_with = "as_written")]
    pub data: &'a str,
    /// The hash of the line before, in hex.
    #[serde(borrow)]
    pub prev: Cow<'a, str>,
}

/// The parts of a line that its writer decides.
pub struct Line<'a> {
    /// Whether another line of the same command follows.
    pub more: bool,
    /// When, UTC.
    pub at: &'a str,
    /// Who, as JSON.
    pub by: &'a str,
    /// Request key, arguments' hash and answer (as JSON), on the first event of a command that has a key.
    pub request: Option<(&'a str, &'a str, &'a str)>,
    /// What happened.
    pub kind: &'a str,
    /// Which shape.
    pub v: u32,
    /// The facts, as JSON.
    pub data: &'a str,
}

/// A member that is true or absent: there is one way to write a line.
fn only_true<'de, D: serde::Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    if bool::deserialize(d)? {
        return Ok(true);
    }
    Err(serde::de::Error::custom(
        "`more` is true or is not there at all",
    ))
}

/// A member as the JSON text that it stands as.
fn as_written<'de, D: serde::Deserializer<'de>>(d: D) -> Result<&'de str, D::Error> {
    <&RawValue>::deserialize(d).map(RawValue::get)
}

fn as_written_if_there<'de, D: serde::Deserializer<'de>>(
    d: D,
) -> Result<Option<&'de str>, D::Error> {
    as_written(d).map(Some)
}

/// The hash of a line as it stands in the journal, without its newline.
pub fn line_hash(body: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(body.as_bytes());
    hash.update(b"\n");
    hash.finalize().into()
}

/// A JSON string.
fn string(text: &str) -> StoreResult<String> {
    serde_json::to_string(text)
        .map_err(|e| StoreError::Damaged(format!("writing a journal line: {e}")))
}

fn body(prev: &Head, txn: i64, line: &Line<'_>) -> StoreResult<String> {
    let request = match line.request {
        None => String::new(),
        Some((key, args, answer)) => {
            format!(
                "\"key\":{},\"args_sha256\":{},\"answer\":{answer},",
                string(key)?,
                string(args)?
            )
        }
    };
    let seq = prev.seq + 1;
    let more = if line.more { "\"more\":true," } else { "" };
    Ok(format!(
        "{{\"seq\":{seq},\"txn\":{txn},{more}\"at\":{},\"by\":{},{request}\"type\":{},\"v\":{},\"data\":{},\"prev\":\"{}\"}}",
        string(line.at)?,
        line.by,
        string(line.kind)?,
        line.v,
        line.data,
        hex(&prev.hash),
    ))
}

/// Appends a line of the command that began at `txn` after `prev`, and gives the new head. The caller holds the write
/// transaction.
pub(super) fn append(db: &Connection, prev: &Head, txn: i64, line: &Line<'_>) -> StoreResult<Head> {
    let seq = prev.seq + 1;
    let body = body(prev, txn, line)?;
    let hash = line_hash(&body);
    db.prepare_cached("INSERT INTO event(seq, body, hash) VALUES(?,?,?)")
        .and_then(|mut s| s.execute(params![seq, body, hash]))
        .doing("writing the journal")?;
    Ok(Head { seq, hash })
}

/// The last line's sequence number and stored hash; zero and zeros when the journal is empty.
pub(super) fn head(db: &Connection) -> StoreResult<Head> {
    let found = db
        .prepare_cached("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")
        .and_then(|mut s| {
            s.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        })
        .doing("reading the head of the journal")?;
    Ok(found.map_or(Head::EMPTY, |(seq, hash)| Head { seq, hash }))
}

/// The stored hash of line `seq`.
pub(super) fn hash_at(db: &Connection, seq: i64) -> StoreResult<Option<[u8; 32]>> {
    db.query_row("SELECT hash FROM event WHERE seq=?", [seq], |row| {
        row.get(0)
    })
    .optional()
    .doing("reading the journal")
}

/// The last line of the command that line `from` belongs to.
pub(super) fn end_of(db: &Connection, from: i64) -> StoreResult<Head> {
    let doing = "reading the journal";
    let mut statement = db
        .prepare("SELECT seq, hash, body FROM event WHERE seq>=? ORDER BY seq")
        .doing(doing)?;
    let mut rows = statement.query([from]).doing(doing)?;
    while let Some(row) = rows.next().doing(doing)? {
        let body: String = row.get(2).doing(doing)?;
        let line: Envelope<'_> = serde_json::from_str(&body).map_err(|e| {
            StoreError::Damaged(format!("a line of the journal cannot be read: {e}"))
        })?;
        if !line.more {
            return Ok(Head {
                seq: row.get(0).doing(doing)?,
                hash: row.get(1).doing(doing)?,
            });
        }
    }
    Err(StoreError::Damaged(
        "the journal ends within a command".to_owned(),
    ))
}

/// The text and the stored hash of line `seq`.
pub(super) fn stored(db: &Connection, seq: i64) -> StoreResult<Option<(String, Vec<u8>)>> {
    db.prepare_cached("SELECT body, hash FROM event WHERE seq=?")
        .and_then(|mut s| {
            s.query_row([seq], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        })
        .doing("reading the journal")
}

/// The text of line `seq`.
pub(super) fn body_at(db: &Connection, seq: i64) -> StoreResult<Option<String>> {
    db.query_row("SELECT body FROM event WHERE seq=?", [seq], |row| {
        row.get(0)
    })
    .optional()
    .doing("reading the journal")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line holds the hash of the line before it, newline included, and reads back as it was written.
    #[test]
    fn chain() {
        let db = Connection::open_in_memory().expect("memory");
        db.execute_batch(DDL).expect("a journal");
        let line = |more, data| Line {
            more,
            at: "2026-11-30T08:51:40Z",
            by: "{\"face\":\"terminal\"}",
            request: Some(("k", "aa", "{\"ok\":true}")),
            kind: "x.happened",
            v: 1,
            data,
        };
        let first = append(&db, &Head::EMPTY, 1, &line(true, "{\"n\":1}")).expect("appended");
        let second = append(&db, &first, 1, &line(false, "{\"n\":2}")).expect("appended");
        assert_eq!(head(&db).expect("a head"), second);
        let text = body_at(&db, 1).expect("read").expect("there");
        assert_eq!(
            text,
            format!(
                "{{\"seq\":1,\"txn\":1,\"more\":true,\"at\":\"2026-11-30T08:51:40Z\",\"by\":{{\"face\":\"terminal\"}},\"key\":\"k\",\"args_sha256\":\"aa\",\
                 \"answer\":{{\"ok\":true}},\"type\":\"x.happened\",\"v\":1,\"data\":{{\"n\":1}},\"prev\":\"{}\"}}",
                "0".repeat(64)
            )
        );
        let next = body_at(&db, 2).expect("read").expect("there");
        let envelope: Envelope<'_> = serde_json::from_str(&next).expect("a line");
        assert!(!envelope.more && !next.contains("more"), "{next}");
        let untrue = next.replace("\"txn\":1,", "\"txn\":1,\"more\":false,");
        assert!(serde_json::from_str::<Envelope<'_>>(&untrue).is_err());
        assert_eq!(end_of(&db, 1).expect("an end"), second);
        assert_eq!(
            envelope.prev,
            hex(&Sha256::digest(format!("{text}\n").as_bytes()))
        );
        assert!(db.execute("DELETE FROM event", []).is_err());
        assert!(db.execute("UPDATE event SET body='x'", []).is_err());
    }
}
