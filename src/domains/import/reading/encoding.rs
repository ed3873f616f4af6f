//! From bytes to text: byte order marks, UTF-8, UTF-16, Windows-1252. It knows nothing of rows.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::domains::import::reading::refused::{EMPTY, NOT_TEXT, Refused};

/// A file as text, and how it was decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded<'b> {
    /// The text, without its byte order mark; borrowed when the bytes were UTF-8 already.
    pub text: Cow<'b, str>,
    /// The encoding's name.
    pub encoding: &'static str,
    /// Whether the encoding is a guess: nothing in the file says it.
    pub guessed: bool,
}

/// Decodes a file by its byte order mark, else as UTF-8, else as Windows-1252.
///
/// Refuses: an empty file, bytes that break the encoding which the mark promises, and any NUL character.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Refused> {
    let (encoding, body, guessed) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..], false),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, bytes, false),
        None => (WINDOWS_1252, bytes, true),
    };
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(body) else {
        return Err(Refused::new(
            NOT_TEXT,
            "the file's byte order mark names an encoding, and its bytes do not keep to it",
            "export the file again, as CSV in UTF-8",
        ));
    };
    if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() + 1;
        return Err(Refused::new(
            NOT_TEXT,
            format!("line {line} holds a NUL character, which no text has"),
            "this may be a spreadsheet or UTF-16 without a mark; export it as CSV in UTF-8",
        ));
    }
    if text.trim().is_empty() {
        return Err(Refused::new(
            EMPTY,
            "the file holds no text",
            "export the file again; a bank's CSV has at least one row",
        ));
    }
    Ok(Decoded {
        text,
        encoding: name(encoding),
        guessed,
    })
}

fn name(encoding: &'static Encoding) -> &'static str {
    match encoding {
        e if e == UTF_16LE => "UTF-16LE",
        e if e == UTF_16BE => "UTF-16BE",
        e if e == WINDOWS_1252 => "Windows-1252",
        _ => "UTF-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<(String, &'static str, bool), &'static str> {
        decode(bytes)
            .map(|d| (d.text.into_owned(), d.encoding, d.guessed))
            .map_err(|r| r.code)
    }

    /// spec/domain.md §10.3, encoding: a mark decides, else UTF-8, else Windows-1252, which is a guess.
    #[test]
    fn encodings() {
        let le: Vec<u8> = "\u{feff}é,1"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let be: Vec<u8> = "\u{feff}é,1"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let text = || "é,1".to_owned();
        assert_eq!(
            decoded("\u{feff}é,1".as_bytes()),
            Ok((text(), "UTF-8", false))
        );
        assert_eq!(decoded("é,1".as_bytes()), Ok((text(), "UTF-8", false)));
        assert_eq!(decoded(&le), Ok((text(), "UTF-16LE", false)));
        assert_eq!(decoded(&be), Ok((text(), "UTF-16BE", false)));
        assert_eq!(decoded(b"\xe9,1"), Ok((text(), "Windows-1252", true)));
        assert_eq!(
            decoded(b"\x80\x93"),
            Ok(("€“".to_owned(), "Windows-1252", true))
        );
    }

    /// spec/reliability.md D1: NULs, broken UTF-16 and nothing at all are refused.
    #[test]
    fn not_text() {
        assert_eq!(decoded(b""), Err(EMPTY));
        assert_eq!(decoded(b"\xef\xbb\xbf"), Err(EMPTY));
        assert_eq!(decoded(b" \r\n "), Err(EMPTY));
        assert_eq!(decoded(b"a,b\n1,\0"), Err(NOT_TEXT));
        assert_eq!(decoded(b"a\0,\0b\0"), Err(NOT_TEXT));
        assert_eq!(decoded(b"\xff\xfea"), Err(NOT_TEXT));
        assert_eq!(decoded(b"\xff\xfe\x00\xd8\x41\x00"), Err(NOT_TEXT));
        assert_eq!(decoded(b"\xef\xbb\xbf\xff"), Err(NOT_TEXT));
    }
}
