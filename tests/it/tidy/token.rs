//! Rust source as words, marks and literals, with comments apart: enough to ask what a file names. It parses no grammar.

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// One mark, except `::`, which is one token.
    Mark,
    /// A text literal; its token's text is the content as written.
    Text,
    /// A number.
    Number,
}

/// A token and where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// How it is written; a text literal without its quotes.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// A comment's text and the line it begins on.
pub type Comment = (usize, String);

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn next(&mut self) -> char {
        let c = self.peek(0);
        self.at += 1;
        self.line += usize::from(c == '\n');
        c
    }

    fn pass(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    fn done(&self) -> bool {
        self.at >= self.chars.len()
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while !self.done() && wanted(self.peek(0)) {
            text.push(self.next());
        }
        text
    }

    /// A block comment, which may hold others.
    fn block_comment(&mut self) -> String {
        let (mut text, mut depth) = (String::new(), 0_usize);
        while !self.done() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    text.push(self.next());
                    continue;
                }
            }
            self.pass(2);
            if depth == 0 {
                break;
            }
        }
        text
    }

    /// The rest of a text literal after its opening quote.
    fn quoted(&mut self) -> String {
        let mut text = String::new();
        while !self.done() {
            match self.next() {
                '"' => break,
                '\\' => {
                    text.push('\\');
                    text.push(self.next());
                }
                c => text.push(c),
            }
        }
        text
    }

    /// A raw text literal whose `r` was read: hashes, quote, content, quote, hashes.
    fn raw(&mut self) -> String {
        let hashes = self.take(|c| c == '#').len();
        self.next();
        let mut text = String::new();
        while !self.done() {
            if self.peek(0) == '"' && (1..=hashes).all(|i| self.peek(i) == '#') {
                self.at += hashes + 1;
                break;
            }
            text.push(self.next());
        }
        text
    }

    /// Whether a raw text literal begins here, `r` being the current character.
    fn raw_begins(&self) -> bool {
        let hashes = (1..).take_while(|i| self.peek(*i) == '#').count();
        self.peek(hashes + 1) == '"'
    }

    /// A number, with its fraction and exponent if it has them. `1..2` and `1.max(2)` are whole numbers.
    fn number(&mut self) -> String {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut text = self.take(word);
        if self.peek(0) == '.' && self.peek(1) != '.' && !word_begins(self.peek(1)) {
            text.push(self.next());
            text.push_str(&self.take(word));
        }
        text
    }
}

fn word_begins(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Tokens and comments of a source text.
pub fn read(source: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut from = Reader {
        chars: source.chars().collect(),
        at: 0,
        line: 1,
    };
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    while !from.done() {
        let line = from.line;
        let here = (from.peek(0), from.peek(1));
        if here.0.is_whitespace() {
            from.next();
        } else if here == ('/', '/') {
            comments.push((line, from.take(|c| c != '\n')));
        } else if here == ('/', '*') {
            comments.push((line, from.block_comment()));
        } else if let Some((kind, text)) = token(&mut from, &tokens) {
            tokens.push(Token { kind, text, line });
        }
    }
    (tokens, comments)
}

/// The next token; none for a character literal or a lifetime, which say nothing about what a file names.
fn token(from: &mut Reader, before: &[Token]) -> Option<(Kind, String)> {
    let here = (from.peek(0), from.peek(1));
    match here {
        ('"', _) => {
            from.next();
            Some((Kind::Text, from.quoted()))
        }
        ('b' | 'c', '"') => {
            from.pass(2);
            Some((Kind::Text, from.quoted()))
        }
        ('r', '"' | '#') if from.raw_begins() => {
            from.next();
            Some((Kind::Text, from.raw()))
        }
        ('b', 'r') if matches!(from.peek(2), '"' | '#') => {
            from.pass(2);
            Some((Kind::Text, from.raw()))
        }
        ('b', '\'') => {
            from.next();
            character(from);
            None
        }
        ('\'', _) => {
            character(from);
            None
        }
        (':', ':') => {
            from.pass(2);
            Some((Kind::Mark, "::".to_owned()))
        }
        (c, _) if c.is_ascii_digit() => {
            // `pair.0.1` holds no number with a fraction.
            let field = before.last().is_some_and(|t| t.text == ".");
            let text = if field {
                from.take(|c| c.is_ascii_digit())
            } else {
                from.number()
            };
            Some((Kind::Number, text))
        }
        (c, _) if word_begins(c) => {
            let text = from.take(|c| c.is_alphanumeric() || c == '_');
            Some((Kind::Word, text))
        }
        _ => Some((Kind::Mark, from.next().to_string())),
    }
}

/// Passes a character literal or a lifetime.
fn character(from: &mut Reader) {
    from.next();
    if from.peek(0) == '\\' {
        from.pass(2);
        from.take(|c| c != '\'');
        from.next();
    } else if from.peek(1) == '\'' {
        from.pass(2);
    } else {
        from.take(|c| c.is_alphanumeric() || c == '_');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comments, texts, characters and lifetimes hide what they hold; fields, ranges and fractions are told apart.
    #[test]
    fn reads() {
        let source = r##"a /* b /* c */ d */ "e \" f" r#"g " h"# 'i' '\'' '\u{1b}' &'j k // l
            m::n p.0.1 1..2 1.5 2.max(3) b'"' br"q" b"\"" r#type"##;
        let (tokens, comments) = read(source);
        let texts: Vec<&str> = tokens.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "a", "e \\\" f", "g \" h", "&", "k", "m", "::", "n", "p", ".", "0", ".", "1", "1",
                ".", ".", "2", "1.5", "2", ".", "max", "(", "3", ")", "q", "\\\"", "r", "#",
                "type"
            ]
        );
        assert_eq!(tokens[5].line, 2);
        let said: Vec<&str> = comments.iter().map(|(_, text)| text.trim()).collect();
        assert_eq!(said, ["b  c  d", "// l"]);
    }
}
