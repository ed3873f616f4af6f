//! Bytes as lower-case hex, the one spelling of hashes and random ids on every face and in the journal.

/// Bytes in lower-case hex, two digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|b| [digit(b >> 4), digit(b & 15)])
        .map(char::from)
        .collect()
}

/// Whether a text is a SHA-256 in lower-case hex.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether `text` is these bytes in lower-case hex.
pub fn is_hex_of(text: &str, bytes: &[u8]) -> bool {
    text.len() == bytes.len() * 2
        && text
            .as_bytes()
            .chunks_exact(2)
            .zip(bytes)
            .all(|(pair, b)| pair == [digit(b >> 4), digit(b & 15)])
}

/// The digit of a number below 16.
fn digit(n: u8) -> u8 {
    if n < 10 { b'0' + n } else { b'a' + n - 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte has its two digits, and only they are it.
    #[test]
    fn every_byte() {
        assert_eq!(hex(&[]), "");
        assert_eq!(hex(&[0x00, 0x09, 0x0a, 0x9f, 0xa0, 0xff]), "00090a9fa0ff");
        for byte in 0..=u8::MAX {
            assert_eq!(hex(&[byte]), format!("{byte:02x}"));
            assert!(is_hex_of(&hex(&[byte]), &[byte]));
            assert!(!is_hex_of(&hex(&[byte]), &[byte ^ 1]));
        }
        assert!(!is_hex_of("0A", &[0x0a]));
        assert!(!is_hex_of("0a0", &[0x0a]));
        assert!(!is_hex_of("", &[0x0a]));
    }
}
