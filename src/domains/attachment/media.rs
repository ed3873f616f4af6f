//! What a file is, told by its first bytes alone. Nothing is decoded: a picture bomb is as harmless as a picture.

/// A kind of file that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Media {
    /// A PDF document.
    Pdf,
    /// A PNG picture.
    Png,
    /// A JPEG picture.
    Jpeg,
    /// A GIF picture.
    Gif,
    /// A WebP picture.
    WebP,
    /// A HEIC or HEIF picture.
    Heic,
    /// A TIFF picture.
    Tiff,
    /// Text in UTF-8.
    Text,
}

/// What the kinds are called, for people.
pub const TAKEN: &str = "PDF, PNG, JPEG, GIF, WebP, HEIC, TIFF and plain text in UTF-8";

/// The brands with which a HEIC or HEIF file names itself. Source: ISO/IEC 23008-12, annex B.
const HEIC_BRANDS: [&[u8; 4]; 8] = [
    b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1",
];

impl Media {
    /// What the bytes are; none for what is not taken.
    pub fn of(bytes: &[u8]) -> Option<Media> {
        let starts = |magic: &[u8]| bytes.starts_with(magic);
        let at = |from: usize, magic: &[u8]| bytes.get(from..from + magic.len()) == Some(magic);
        if starts(b"%PDF-") {
            return Some(Media::Pdf);
        }
        if starts(b"\x89PNG\r\n\x1a\n") {
            return Some(Media::Png);
        }
        if starts(b"\xff\xd8\xff") {
            return Some(Media::Jpeg);
        }
        if starts(b"GIF87a") || starts(b"GIF89a") {
            return Some(Media::Gif);
        }
        if starts(b"RIFF") && at(8, b"WEBP") {
            return Some(Media::WebP);
        }
        if at(4, b"ftyp") && HEIC_BRANDS.iter().any(|brand| at(8, *brand)) {
            return Some(Media::Heic);
        }
        if starts(b"II*\0") || starts(b"MM\0*") {
            return Some(Media::Tiff);
        }
        is_text(bytes).then_some(Media::Text)
    }

    /// The media type under which it is kept.
    pub fn mime(self) -> &'static str {
        match self {
            Media::Pdf => "application/pdf",
            Media::Png => "image/png",
            Media::Jpeg => "image/jpeg",
            Media::Gif => "image/gif",
            Media::WebP => "image/webp",
            Media::Heic => "image/heic",
            Media::Tiff => "image/tiff",
            Media::Text => "text/plain",
        }
    }

    /// The media type to keep when this one was stated; none when the bytes are another.
    ///
    /// Case and parameters such as `charset` do not count. What is not its registered name but in common use is taken, and kept
    /// as the registered one; a table in text may be called one.
    pub fn stated(self, stated: &str) -> Option<&'static str> {
        let essence = stated.split(';').next().unwrap_or_default().trim();
        let is = |name: &str| essence.eq_ignore_ascii_case(name);
        match self {
            Media::Text if is("text/csv") => Some("text/csv"),
            Media::Jpeg if is("image/jpg") => Some(self.mime()),
            Media::Heic if is("image/heif") => Some(self.mime()),
            _ => is(self.mime()).then_some(self.mime()),
        }
    }
}

/// Whether bytes are UTF-8 without control characters, but for tabs and line ends.
fn is_text(bytes: &[u8]) -> bool {
    let plain = |c: char| !c.is_control() || matches!(c, '\t' | '\r' | '\n');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/reliability.md D2: each kind is known by its magic bytes at offset 0, and by nothing else.
    #[test]
    fn magic() {
        let kinds: [(&[u8], &str); 14] = [
            (b"%PDF-1.7\n", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
            (b"\xff\xd8\xff\xe1", "image/jpeg"),
            (b"GIF87a\0", "image/gif"),
            (b"GIF89a\0", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
            (b"\0\0\0\x18ftypheic\0\0\0\0", "image/heic"),
            (b"\0\0\0\x18ftypmif1\0\0\0\0", "image/heic"),
            (b"II*\0\x08\0\0\0", "image/tiff"),
            (b"MM\0*\0\0\0\x08", "image/tiff"),
            (b"Paper 12.00\r\n\tTotal 12.00\n", "text/plain"),
            ("Café 12,00 €".as_bytes(), "text/plain"),
            // A magic that does not stand at the beginning is text like any other.
            (b" %PDF-1.7", "text/plain"),
        ];
        for (bytes, mime) in kinds {
            let found = Media::of(bytes).map(Media::mime);
            assert_eq!(found, Some(mime), "{}", bytes.escape_ascii());
        }
        let none: [&[u8]; 9] = [
            b"\0%PDF-1.7",
            b"\x89PNG\r\n\x1a",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"\0\0\0\x18ftypmp42\0\0\0\0",
            b"PK\x03\x04",
            b"MZ\x90\0",
            b"text\0with a NUL",
            b"\x1b[2Jtext",
            b"caf\xe9",
        ];
        for bytes in none {
            assert_eq!(Media::of(bytes), None, "{}", bytes.escape_ascii());
        }
    }

    /// A stated type is held to the bytes: case, parameters and names in common use do not count.
    #[test]
    fn stated() {
        let cases = [
            (Media::Pdf, "application/pdf", Some("application/pdf")),
            (Media::Pdf, "Application/PDF", Some("application/pdf")),
            (Media::Pdf, "image/png", None),
            (Media::Pdf, "", None),
            (Media::Jpeg, "image/jpg", Some("image/jpeg")),
            (Media::Heic, "image/heif", Some("image/heic")),
            (Media::Text, "text/plain; charset=utf-8", Some("text/plain")),
            (Media::Text, "text/csv", Some("text/csv")),
            (Media::Text, "text/html", None),
            (Media::Png, "image/png2", None),
        ];
        for (media, text, want) in cases {
            assert_eq!(media.stated(text), want, "{media:?} {text}");
        }
    }
}
