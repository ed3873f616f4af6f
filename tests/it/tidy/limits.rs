//! The limits of style: lengths, names, words that must not stand anywhere, and the sentence that opens a file.

use std::ops::Range;

use super::{
    Check, Rule,
    source::{Source, after_brackets},
    token::{Kind, Token},
};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const ARGUMENTS_MAX: usize = 4;

/// The rules of this page.
pub const RULES: &[Rule] = &[
    Rule {
        name: "a file has at most 500 lines",
        check: Check::File(file_length),
        caught: &[("src/model/date.rs", LONG_FILE)],
        passed: &[("src/model/date.rs", "fn a() {}")],
    },
    Rule {
        name: "a function has at most 70 lines",
        check: Check::File(function_length),
        caught: &[("src/model/date.rs", LONG_FUNCTION)],
        passed: &[(
            "src/model/date.rs",
            "fn a() {\n\n}\n\n\nfn b(x: [u8; 3]) {\n}",
        )],
    },
    Rule {
        name: "a function takes at most four arguments",
        check: Check::File(arguments),
        caught: &[(
            "src/model/date.rs",
            "fn a(a: u8, b: u8, c: u8, d: u8, e: u8) {}",
        )],
        passed: &[(
            "src/model/date.rs",
            "fn a<T: Fn(u8, u8)>(&mut self, a: (u8, u8), b: Map<u8, u8>, c: T, d: u8,) {}",
        )],
    },
    Rule {
        name: "nothing may become a heap: no utils, helpers, common or misc",
        check: Check::File(heaps),
        caught: &[
            ("src/model/utils.rs", ""),
            ("src/engine/common/mod.rs", ""),
            ("src/model/mod.rs", "mod helpers { }"),
        ],
        passed: &[("src/model/commonly.rs", "")],
    },
    Rule {
        name: "no unwrap outside tests",
        check: Check::File(unwraps),
        caught: &[("src/model/date.rs", "fn a() { b.unwrap() }")],
        passed: &[(
            "src/model/date.rs",
            "fn a() { b.unwrap_or(1) } // b.unwrap()\n #[cfg(test)] mod t { fn c() { b.unwrap() } }",
        )],
    },
    Rule {
        name: "expect says in words why it cannot fail",
        check: Check::File(expects),
        caught: &[
            ("src/model/date.rs", "fn a() { b.expect(\"date\") }"),
            ("src/model/date.rs", "fn a() { b.expect(WHY) }"),
        ],
        passed: &[(
            "src/model/date.rs",
            "fn a() { b.expect(\"a month has a first day\") }",
        )],
    },
    Rule {
        name: "nothing is left to do, and nothing panics on purpose",
        check: Check::File(unfinished),
        caught: &[
            ("src/model/date.rs", "// TODO: leap years"),
            ("src/model/date.rs", "/* FIXME */"),
            ("src/model/date.rs", "fn a() { todo!() }"),
            ("src/model/date.rs", "fn a() { panic!(\"no\") }"),
        ],
        passed: &[(
            "src/model/date.rs",
            "// what is to do\n const A: &str = \"TODO\";",
        )],
    },
    Rule {
        name: "no floats but in drawing and spreadsheet cells",
        check: Check::File(floats),
        caught: &[
            ("src/model/money.rs", "fn a(b: f64) {}"),
            ("src/model/money.rs", "const A: X = 0.5;"),
            ("src/domains/fx/rules.rs", "const A: X = 1e3;"),
        ],
        passed: &[
            ("src/present/pdf/page.rs", "fn a(b: f32) { 0.5 }"),
            (
                "src/model/money.rs",
                "// f64\n fn a() { b.0.1; 0..5; 0x1e3; 1_000 }",
            ),
        ],
    },
    Rule {
        name: "every file opens with a sentence: what it holds",
        check: Check::File(opening),
        caught: &[
            ("src/model/date.rs", "use std::fmt;\n//! Dates."),
            ("src/model/date.rs", "//! Dates"),
            (
                "src/model/date.rs",
                "//! Dates of the year\n//! and of the month\nuse std::fmt;",
            ),
        ],
        passed: &[(
            "src/model/date.rs",
            "//! Dates: days of the year,\n//! and months.\n\nuse std::fmt;",
        )],
    },
];

/// A function: its name, where its tokens stand, and its lines.
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where its arguments and body stand among the tokens.
    pub span: Range<usize>,
    /// Its first line.
    pub line: usize,
    /// How many lines it has.
    pub lines: usize,
    /// How many arguments it takes besides `self`.
    pub arguments: usize,
}

/// The functions with a body among these tokens, inner ones too.
pub fn functions(tokens: &[Token]) -> Vec<Function> {
    let begins = |at: usize| {
        tokens[at].kind == Kind::Word
            && tokens[at].text == "fn"
            && tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Word)
    };
    (0..tokens.len())
        .filter(|at| begins(*at))
        .filter_map(|at| function(tokens, at))
        .collect()
}

fn function(tokens: &[Token], at: usize) -> Option<Function> {
    let mark = |i: usize, text: &str| {
        tokens
            .get(i)
            .is_some_and(|t| t.kind == Kind::Mark && t.text == text)
    };
    let mut open = at + 2;
    let mut angles = 0_usize;
    while open < tokens.len() && !(angles == 0 && mark(open, "(")) {
        let arrow = mark(open, ">") && mark(open - 1, "-");
        angles += usize::from(mark(open, "<"));
        angles = angles.saturating_sub(usize::from(mark(open, ">") && !arrow));
        open += 1;
    }
    let close = after_brackets(tokens, open);
    let mut body = close;
    while body < tokens.len() && !mark(body, "{") {
        if mark(body, ";") {
            return None;
        }
        body = if mark(body, "[") || mark(body, "(") {
            after_brackets(tokens, body)
        } else {
            body + 1
        };
    }
    let end = after_brackets(tokens, body);
    let last = tokens.get(end.checked_sub(1)?)?.line;
    Some(Function {
        name: tokens[at + 1].text.clone(),
        span: open..end,
        line: tokens[at].line,
        lines: last + 1 - tokens[at].line,
        arguments: count_arguments(&tokens[open..close]),
    })
}

/// Arguments besides `self`: colons that stand in no inner bracket, since every other argument has a type.
fn count_arguments(list: &[Token]) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for token in list.iter().filter(|t| t.kind == Kind::Mark) {
        match token.text.as_str() {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            ":" if depth == 1 => count += 1,
            _ => {}
        }
    }
    count
}

fn file_length(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    let over = lines > FILE_LINES_MAX;
    over.then(|| format!("{}: {lines} lines, over {FILE_LINES_MAX}", source.path))
        .into_iter()
        .collect()
}

fn function_length(source: &Source) -> Vec<String> {
    let long = functions(&source.all_tokens)
        .into_iter()
        .filter(|f| f.lines > FUNCTION_LINES_MAX);
    long.map(|f| {
        let at = source.at(f.line);
        format!(
            "{at}: `{}` has {} lines, over {FUNCTION_LINES_MAX}",
            f.name, f.lines
        )
    })
    .collect()
}

fn arguments(source: &Source) -> Vec<String> {
    if source.test {
        return Vec::new();
    }
    let many = functions(&source.tokens)
        .into_iter()
        .filter(|f| f.arguments > ARGUMENTS_MAX);
    many.map(|f| {
        let at = source.at(f.line);
        format!(
            "{at}: `{}` takes {} arguments, over {ARGUMENTS_MAX}",
            f.name, f.arguments
        )
    })
    .collect()
}

fn heaps(source: &Source) -> Vec<String> {
    let heap =
        |name: &str| ["util", "utils", "helper", "helpers", "common", "misc"].contains(&name);
    let mut found = Vec::new();
    if source.parts().iter().any(|part| heap(part)) {
        found.push(format!("{}: find the noun", source.path));
    }
    for pair in source.all_tokens.windows(2) {
        if pair[0].text == "mod" && heap(&pair[1].text) {
            found.push(format!("{}: find the noun", source.at(pair[1].line)));
        }
    }
    found
}

/// Lines where a method of this name is called, with the token after its opening bracket.
fn calls<'s>(source: &'s Source, method: &'s str) -> impl Iterator<Item = (usize, &'s Token)> {
    source.tokens.windows(4).filter_map(move |w| {
        let called = w[0].text == "." && w[1].text == method && w[2].text == "(";
        (called && w[1].kind == Kind::Word && !source.test).then_some((w[1].line, &w[3]))
    })
}

fn unwraps(source: &Source) -> Vec<String> {
    ["unwrap", "unwrap_err", "unwrap_unchecked"]
        .iter()
        .flat_map(|method| calls(source, method))
        .map(|(line, _)| format!("{}: an unwrap", source.at(line)))
        .collect()
}

fn expects(source: &Source) -> Vec<String> {
    let reason =
        |token: &Token| token.kind == Kind::Text && token.text.split_whitespace().count() >= 3;
    calls(source, "expect")
        .filter(|(_, argument)| !reason(argument))
        .map(|(line, _)| format!("{}: an expect without its reason in words", source.at(line)))
        .collect()
}

fn unfinished(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (line, text) in &source.comments {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        if words.any(|word| ["TODO", "FIXME", "XXX", "HACK"].contains(&word)) {
            found.push(format!("{}: something is left to do", source.at(*line)));
        }
    }
    for pair in source.tokens.windows(2) {
        let last = ["todo", "unimplemented", "panic", "dbg"].contains(&pair[0].text.as_str());
        if last && pair[1].text == "!" && !source.test {
            found.push(format!("{}: `{}!`", source.at(pair[0].line), pair[0].text));
        }
    }
    found
}

fn floats(source: &Source) -> Vec<String> {
    let drawing = ["src/present/pdf", "src/present/chart", "src/present/xlsx"];
    if source.test || drawing.iter().any(|place| source.path.starts_with(place)) {
        return Vec::new();
    }
    let float = |token: &Token| match token.kind {
        Kind::Word => token.text == "f32" || token.text == "f64",
        Kind::Number => {
            let exponent = token.text.contains(['e', 'E']) && !token.text.starts_with("0x");
            token.text.contains('.') || exponent && !token.text.contains("size")
        }
        _ => false,
    };
    let floats = source.tokens.iter().filter(|t| float(t));
    floats
        .map(|t| format!("{}: `{}` is a float", source.at(t.line), t.text))
        .collect()
}

fn opening(source: &Source) -> Vec<String> {
    let lines = source
        .text
        .lines()
        .map_while(|line| line.strip_prefix("//! "));
    let said: Vec<&str> = lines.collect();
    let said = said.join(" ");
    let sentence = said.split_whitespace().count() >= 2 && said.contains('.');
    (!sentence)
        .then(|| format!("{}: opens with no `//!` sentence", source.path))
        .into_iter()
        .collect()
}

const LONG_FILE: &str = concat_lines!(concat_lines!(
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
));
const LONG_FUNCTION: &str = concat!(
    "fn a() {",
    concat_lines!("\n\n\n\n\n\n\n\n\n\n\n\n\n\n"),
    "}"
);
