//! Breaking words into lines of a terminal's width and trimming finished lines. It cuts nothing off.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::present::text::{BOLD, PLAIN};

/// The lines of `text`, at most `width` columns each: broken at blanks, and within a word only where it is too long by
/// itself. Blanks at a break are dropped; a `width` of zero counts as one. Always at least one line.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.width() <= width {
        return vec![text.to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let gap = usize::from(!line.is_empty());
        if line.width() + gap + word.width() <= width {
            if gap == 1 {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut pieces = pieces(word, width);
        line = pieces.pop().unwrap_or_default();
        lines.extend(pieces);
    }
    lines.push(line);
    for line in &mut lines {
        line.truncate(line.trim_end_matches(' ').len());
    }
    lines
}

/// A word in pieces of at most `width` columns, and of at least one character.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut used = 0;
    for c in word.chars() {
        // U+FE0F widens the sign before it by one column, though it has no width of its own.
        let own = if c == '\u{fe0f}' {
            1
        } else {
            c.width().unwrap_or(0)
        };
        if used + own > width && own > 0 && !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
            used = 0;
        }
        used += own;
        piece.push(c);
    }
    pieces.push(piece);
    pieces
}

/// A finished line without blanks at its end, even where bold type begins or ends among them.
pub(super) fn trimmed(line: &str) -> String {
    let mut line = line;
    loop {
        line = line.trim_end();
        let Some(bold) = line.strip_suffix(PLAIN) else {
            return line.to_owned();
        };
        let bold = bold.trim_end();
        match bold.strip_suffix(BOLD) {
            Some(before) => line = before,
            None => return format!("{bold}{PLAIN}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines break at blanks; a word longer than a line is broken, not cut.
    #[test]
    fn breaking() {
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("ab  cd", 4), ["ab", "cd"]);
        assert_eq!(wrap("株式会社", 5), ["株式", "会社"]);
        assert_eq!(wrap("株", 1), ["株"]);
    }

    /// Blanks at a line's end go, inside bold type and around it.
    #[test]
    fn trimming() {
        assert_eq!(trimmed("a b  "), "a b");
        assert_eq!(trimmed("\u{1b}[1ma \u{1b}[0m  "), "\u{1b}[1ma\u{1b}[0m");
        assert_eq!(trimmed("a \u{1b}[1m \u{1b}[0m \u{1b}[1m\u{1b}[0m"), "a");
    }

    proptest! {
        /// Every character but blanks survives, and no line is wider than asked.
        #[test]
        fn nothing_is_lost(text in "[a-z株é ]{0,60}", width in 2_usize..30) {
            let lines = wrap(&text, width);
            let bare = |s: &str| s.replace(' ', "");
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
            prop_assert!(lines.iter().all(|line| line.width() <= width), "{:?}", lines);
        }
    }
}
