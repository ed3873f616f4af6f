//! The rules of stored files: what is taken, and what a name is. Pure.

use super::media::{Media, TAKEN};
use crate::{
    engine::CONTENT_BYTES_MAX,
    model::{NAME_CHARS_MAX, Refusal, clean, quoted},
};

/// Holds a file's bytes to what is taken, and to the type that was stated; gives the type to keep.
///
/// Refuses: no bytes, more than [`CONTENT_BYTES_MAX`], bytes of no known kind, and another kind than was stated.
pub fn mime_type(bytes: &[u8], stated: Option<&str>) -> Result<&'static str, Refusal> {
    let count = bytes.len();
    if count == 0 {
        return Err(Refusal::new("file_empty", "the file is empty").hint("attach the file itself"));
    }
    if count > CONTENT_BYTES_MAX {
        let message = format!("the file has {count} bytes; at most {CONTENT_BYTES_MAX} are kept");
        return Err(Refusal::new("file_too_large", message)
            .with("bytes", count)
            .with("bytes_max", CONTENT_BYTES_MAX)
            .hint("attach it with fewer pages or a lower resolution"));
    }
    let Some(media) = Media::of(bytes) else {
        let message = format!("the file is none of {TAKEN}, by its first bytes");
        return Err(
            Refusal::new("file_type_unknown", message).hint("attach a PDF or a picture of it")
        );
    };
    let Some(stated) = stated else {
        return Ok(media.mime());
    };
    media.stated(stated).ok_or_else(|| {
        let is = media.mime();
        let message = format!(
            "the file is {is} by its first bytes, not {}",
            quoted(stated)
        );
        Refusal::new("file_type_mismatch", message)
            .with("mime_type", stated)
            .with("found", is)
            .hint("state what the file is, or leave the type out")
    })
}

/// A file's name as a label: what follows the last `/` or `\`, cleaned; and whether anything but white space was cleaned away.
///
/// Refuses: a name of which nothing is left, or only full stops, which name folders.
pub fn label(name: &str) -> Result<(String, bool), Refusal> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let (label, cleaned) = clean(last, NAME_CHARS_MAX);
    if label.trim_matches('.').is_empty() {
        let message = "file_name holds no name; write one such as receipt.pdf";
        return Err(Refusal::new("bad_text", message).with("field", "file_name"));
    }
    Ok((label, cleaned))
}

/// The most things that one file is linked to.
const LINKS_MAX: usize = 100;

/// Refuses more links of one file than are kept.
pub fn links_fit(count: usize) -> Result<(), Refusal> {
    if count <= LINKS_MAX {
        return Ok(());
    }
    let message = format!("a file is linked to at most {LINKS_MAX} things");
    Err(Refusal::new("too_many_links", message)
        .with("links_max", LINKS_MAX)
        .hint("file it again, or link it to what they have in common"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(bytes: &[u8], stated: Option<&str>) -> Result<&'static str, &'static str> {
        mime_type(bytes, stated).map_err(|r| r.code)
    }

    /// A file is held to its size, then to its bytes, then to what was stated; a mismatch names both types.
    #[test]
    fn taken() {
        assert_eq!(code(b"", None), Err("file_empty"));
        let mut large = vec![b'a'; 26_214_400];
        assert_eq!(code(&large, None), Ok("text/plain"));
        large.push(b'a');
        assert_eq!(code(&large, None), Err("file_too_large"));
        assert_eq!(
            code(b"MZ\x90\0", Some("application/pdf")),
            Err("file_type_unknown")
        );
        assert_eq!(
            code(b"%PDF-1.4", Some("application/pdf")),
            Ok("application/pdf")
        );
        let refusal = mime_type(b"%PDF-1.4", Some("image/png")).expect_err("a mismatch");
        assert_eq!(refusal.code, "file_type_mismatch");
        assert_eq!(
            refusal.message,
            "the file is application/pdf by its first bytes, not \"image/png\""
        );
    }

    /// A name is a label: no folder of it is kept, nothing that cannot be seen, and no more than 200 characters.
    #[test]
    fn labels() {
        let kept = |name: &str| label(name).map_err(|r| r.code);
        let same = |name: &str| Ok((name.to_owned(), false));
        assert_eq!(kept("receipt.pdf"), same("receipt.pdf"));
        assert_eq!(kept("../../etc/passwd"), same("passwd"));
        assert_eq!(kept("C:\\Scans\\a b.pdf"), same("a b.pdf"));
        assert_eq!(kept("a/b\\c.png"), same("c.png"));
        let cleaned = |name: &str| Ok((name.to_owned(), true));
        assert_eq!(kept("in\u{202e}fdp.exe"), cleaned("infdp.exe"));
        assert_eq!(kept("a\u{200b}b\u{0}.pdf"), cleaned("ab.pdf"));
        assert_eq!(kept(&"n".repeat(200)), same(&"n".repeat(200)));
        assert_eq!(kept(&"n".repeat(201)), cleaned(&"n".repeat(200)));
        for empty in ["", " ", "a/", "\u{200b}", ".", "..", "../..", "\\"] {
            assert_eq!(kept(empty), Err("bad_text"), "{empty:?}");
        }
    }
}
