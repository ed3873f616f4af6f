//! Text in the books: what may stand in it, how text from outside is cleaned, and how search folds it.

use std::borrow::Cow;

use unicode_normalization::{
    UnicodeNormalization,
    char::{decompose_compatible, is_combining_mark},
};

use crate::model::Refusal;

/// The versions of Unicode by which texts are compared, by who brings them: major, minor and update number.
pub const UNICODE_VERSIONS: &[(&str, (u8, u8, u8))] = &[
    ("unicode", char::UNICODE_VERSION),
    (
        "unicode-normalization",
        unicode_normalization::UNICODE_VERSION,
    ),
];

/// The most characters of a description or note.
pub const TEXT_CHARS_MAX: usize = 500;
/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 200;

/// Whether a character could hide, reorder or forge what a reader sees: controls, bidi marks, zero-width and tag
/// characters, line separators, noncharacters.
///
/// Source: Unicode Technical Report 36 and CVE-2021-42574 (bidi controls in text that people review).
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || (c as u32) & 0xfffe == 0xfffe
        || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

/// Whether any character of `text` is hostile.
pub fn has_hostile(text: &str) -> bool {
    text.chars().any(is_hostile)
}

/// Text that came from outside (a bank's line, a file's name), made fit to keep.
///
/// Gives the text in NFC with hostile characters dropped, white space collapsed to single spaces, trimmed and cut at
/// `chars_max`; and whether anything but white space was lost.
pub fn clean(text: &str, chars_max: usize) -> (String, bool) {
    let mut kept = String::with_capacity(text.len());
    let (mut lost, mut count) = (false, 0);
    for c in text.nfc() {
        if c.is_whitespace() {
            if !kept.is_empty() && !kept.ends_with(' ') {
                kept.push(' ');
                count += 1;
            }
        } else if is_hostile(c) {
            lost = true;
        } else if count >= chars_max {
            lost = true;
            break;
        } else {
            kept.push(c);
            count += 1;
        }
    }
    kept.truncate(kept.trim_end().len());
    (kept, lost)
}

/// A name or description that someone typed: NFC, trimmed, not empty, no hostile character, at most `chars_max` long.
pub fn typed(text: &str, field: &str, chars_max: usize) -> Result<String, Refusal> {
    let text: String = text.trim().nfc().collect();
    let count = text.chars().count();
    let bad =
        |why: String| Err(Refusal::new("bad_text", format!("{field} {why}")).with("field", field));
    if let Some(c) = text.chars().find(|c| is_hostile(*c)) {
        return bad(format!(
            "holds the character U+{:04X}, which cannot be seen; leave it out",
            c as u32
        ));
    }
    if count == 0 {
        return bad("is empty; write at least one character".to_owned());
    }
    if count > chars_max {
        return bad(format!(
            "has {count} characters; at most {chars_max} are kept"
        ));
    }
    Ok(text)
}

/// Text for a person's eyes: every hostile character shown as `\u{…}`, so that nothing in the books can move a cursor.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !has_hostile(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hostile(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// JSON text whose strings hold no character that cannot be seen; it reads as the same value.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    if !has_hostile(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let mut bytes = [0; 4];
        let piece: &str = c.encode_utf8(&mut bytes);
        if c == '\n' || !has_hostile(piece) {
            shown.push(c);
            continue;
        }
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            shown.push_str(&format!("\\u{unit:04x}"));
        }
    }
    Cow::Owned(shown)
}

/// Text as search compares it: lower case, without accents, white space collapsed.
///
/// Letter by letter: what decomposing reorders are accents, and those are dropped.
pub fn fold_for_search(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut apart = false;
    let mut take = |c: char| {
        if c.is_whitespace() {
            apart = !folded.is_empty();
            return;
        }
        if std::mem::take(&mut apart) {
            folded.push(' ');
        }
        folded.push(c);
    };
    for c in text.chars() {
        if c.is_ascii() {
            // Almost all is, and every posting of a history is folded when it is verified.
            take(c.to_ascii_lowercase());
            continue;
        }
        decompose_compatible(c, |part| {
            if !is_combining_mark(part) {
                part.to_lowercase().for_each(&mut take);
            }
        });
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outside text loses what hides or reorders, and says that it did; white space is not a loss.
    #[test]
    fn cleaning() {
        assert_eq!(clean("  a\t b\r\n c ", 500), ("a b c".to_owned(), false));
        assert_eq!(
            clean("pay\u{202e}roll\u{0}", 500),
            ("payroll".to_owned(), true)
        );
        assert_eq!(clean("e\u{301}", 500), ("é".to_owned(), false));
        assert_eq!(clean("abcdef", 3), ("abc".to_owned(), true));
        assert_eq!(clean("ab cd", 3), ("ab".to_owned(), true));
        assert_eq!(clean("abc", 3), ("abc".to_owned(), false));
    }

    /// Typed text is refused, not cleaned, and the refusal names the field and the limit.
    #[test]
    fn typing() {
        assert_eq!(typed(" Rent ", "name", 10), Ok("Rent".to_owned()));
        for bad in ["", "   ", "a\u{200b}b", "a\u{7}", "12345678901"] {
            assert_eq!(
                typed(bad, "name", 10).map_err(|r| r.code),
                Err("bad_text"),
                "{bad:?}"
            );
        }
        assert_eq!(typed("1234567890", "name", 10).as_deref(), Ok("1234567890"));
    }

    /// Nothing hostile is shown raw.
    #[test]
    fn showing() {
        for c in [
            '\u{1b}',
            '\u{9b}',
            '\u{202e}',
            '\u{200b}',
            '\u{feff}',
            '\u{e0041}',
            '\u{fffe}',
            '\u{fdd0}',
            '\u{2028}',
            '\n',
        ] {
            assert!(is_hostile(c), "{c:?}");
            assert!(visible(&format!("a{c}b")).is_ascii(), "{c:?}");
        }
        for c in ['a', 'é', '株', '🚤', ' ', '\u{a0}'] {
            assert!(!is_hostile(c), "{c:?}");
        }
    }

    /// Search does not see case, accents or runs of white space.
    #[test]
    fn folding() {
        assert_eq!(fold_for_search("  Café  STRASSE "), "cafe strasse");
        // The accent apart, full width, a ligature, a Hangul syllable, an ideographic space.
        assert_eq!(
            fold_for_search("e\u{301}\u{3000}\u{3000}ＦＵＬＬ ﬁ"),
            "e full fi"
        );
        assert_eq!(fold_for_search("한"), "한".nfkd().collect::<String>());
    }
}
