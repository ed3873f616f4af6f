//! Which income tax return a business files, read from the words a person uses for it; not what the return says.
//!
//! Sources: Reg. §301.7701-3(b)(1) (two or more owners are a partnership, one owner is disregarded, either may elect to be a
//! corporation and then an S corporation), Reg. §301.7701-2(b) (incorporated under a statute is a corporation).

use crate::{
    model::{Refusal, quoted},
    wire_enum,
};

wire_enum! {
    /// The income tax return of the business.
    pub enum TaxForm {
        /// Sole proprietorship, or a single-member LLC that an individual owns
        ScheduleC = "schedule_c",
        /// Partnership, or a multi-member LLC
        Form1065 = "1065",
        /// S corporation
        Form1120S = "1120-S",
        /// C corporation
        Form1120 = "1120",
    }
}

impl TaxForm {
    /// The return that a settings file names, however it spells it: `Schedule C`, `Form 1120-S`, `1120s`.
    pub fn read(text: &str) -> Option<TaxForm> {
        let words = words(text).join("");
        match words.strip_prefix("form").unwrap_or(&words) {
            "schedulec" => Some(TaxForm::ScheduleC),
            "1065" => Some(TaxForm::Form1065),
            "1120s" => Some(TaxForm::Form1120S),
            "1120" => Some(TaxForm::Form1120),
            _ => None,
        }
    }
}

/// Whole lower-case words: full stops and apostrophes vanish ("U.S." is "us"), other punctuation separates.
pub fn words(text: &str) -> Vec<String> {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '.' | '\'' | '\u{2018}' | '\u{2019}'))
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    plain.split_whitespace().map(str::to_owned).collect()
}

/// Runs of words and the return they mean, in the order in which they are taken out of the text: an S corporation before a
/// C corporation before a bare one, so that no word counts twice. `None` marks what makes the rest unreliable.
const RUNS: &[(&[&str], Option<TaxForm>)] = &[
    (&["not"], None),
    (&["exempt"], None),
    (&["nonprofit"], None),
    (&["non", "profit"], None),
    (&["schedule", "c"], Some(TaxForm::ScheduleC)),
    (&["s", "corp"], Some(TaxForm::Form1120S)),
    (&["s", "corps"], Some(TaxForm::Form1120S)),
    (&["s", "corporation"], Some(TaxForm::Form1120S)),
    (&["s", "corporations"], Some(TaxForm::Form1120S)),
    (&["scorp"], Some(TaxForm::Form1120S)),
    (&["scorporation"], Some(TaxForm::Form1120S)),
    (&["sub", "s"], Some(TaxForm::Form1120S)),
    (&["subchapter", "s"], Some(TaxForm::Form1120S)),
    (&["1120", "s"], Some(TaxForm::Form1120S)),
    (&["1120s"], Some(TaxForm::Form1120S)),
    (&["c", "corp"], Some(TaxForm::Form1120)),
    (&["c", "corps"], Some(TaxForm::Form1120)),
    (&["c", "corporation"], Some(TaxForm::Form1120)),
    (&["c", "corporations"], Some(TaxForm::Form1120)),
    (&["ccorp"], Some(TaxForm::Form1120)),
    (&["ccorporation"], Some(TaxForm::Form1120)),
    (&["sub", "c"], Some(TaxForm::Form1120)),
    (&["subchapter", "c"], Some(TaxForm::Form1120)),
    (&["1120"], Some(TaxForm::Form1120)),
    (&["single", "member", "llc", "c"], Some(TaxForm::Form1120)),
    (&["single", "member", "llc", "s"], Some(TaxForm::Form1120S)),
    (&["multi", "member", "llc", "c"], Some(TaxForm::Form1120)),
    (&["multi", "member", "llc", "s"], Some(TaxForm::Form1120S)),
    (&["smllc", "c"], Some(TaxForm::Form1120)),
    (&["smllc", "s"], Some(TaxForm::Form1120S)),
    (&["mmllc", "c"], Some(TaxForm::Form1120)),
    (&["mmllc", "s"], Some(TaxForm::Form1120S)),
    (&["llc", "c"], Some(TaxForm::Form1120)),
    (&["llc", "s"], Some(TaxForm::Form1120S)),
    (&["llc", "p"], Some(TaxForm::Form1065)),
    (&["corporation"], Some(TaxForm::Form1120)),
    (&["corp"], Some(TaxForm::Form1120)),
    (&["incorporated"], Some(TaxForm::Form1120)),
    (&["inc"], Some(TaxForm::Form1120)),
    (&["partnership"], Some(TaxForm::Form1065)),
    (&["1065"], Some(TaxForm::Form1065)),
    (&["llp"], Some(TaxForm::Form1065)),
    (&["lp"], Some(TaxForm::Form1065)),
    (&["multi", "member", "llc"], Some(TaxForm::Form1065)),
    (&["multimember", "llc"], Some(TaxForm::Form1065)),
    (&["mmllc"], Some(TaxForm::Form1065)),
    (&["sole", "proprietor"], Some(TaxForm::ScheduleC)),
    (&["sole", "proprietorship"], Some(TaxForm::ScheduleC)),
    (&["single", "member", "llc"], Some(TaxForm::ScheduleC)),
    (&["smllc"], Some(TaxForm::ScheduleC)),
    (&["disregarded"], Some(TaxForm::ScheduleC)),
    (&["individual"], Some(TaxForm::ScheduleC)),
];

/// Words after which only the rest decides: what an entity elected beats what it is under state law.
const ELECTIONS: &[&[&str]] = &[&["taxed", "as"], &["treated", "as"], &["electing"]];

/// The return that a description of the business means, such as "LLC taxed as an S corp".
///
/// A bare "LLC" goes by `members`, the number of owners listed: two or more are a partnership.
/// Refuses: words of no class, words of more than one class, and a bare LLC with fewer than two members listed.
pub fn classify(text: &str, members: usize) -> Result<TaxForm, Refusal> {
    let mut words = words(text);
    replace(&mut words, &["limited", "liability", "company"], "llc");
    let tail = ELECTIONS
        .iter()
        .filter_map(|run| find(&words, run).map(|at| at + run.len()))
        .min();
    if let Some(tail) = tail {
        words.drain(..tail);
    }
    let bare_llc = words.iter().any(|w| w == "llc");
    let mut forms: Vec<TaxForm> = Vec::new();
    for (run, form) in RUNS {
        // A taken run leaves a word that nothing matches, so that its neighbours do not join into a new run.
        if replace(&mut words, run, "-") {
            let Some(form) = form else {
                return Err(unclear(text, "cannot be read with certainty"));
            };
            if !forms.contains(form) {
                forms.push(*form);
            }
        }
    }
    match forms.as_slice() {
        [form] => Ok(*form),
        [] if bare_llc && members >= 2 => Ok(TaxForm::Form1065),
        [] if bare_llc => Err(unclear(
            text,
            "does not say how the LLC is taxed: list its members under [[company.members]], or name the class",
        )),
        [] => Err(unclear(text, "names no class of taxpayer")),
        several => {
            let several: Vec<&str> = several.iter().map(|f| f.word()).collect();
            Err(unclear(
                text,
                &format!("means more than one return ({})", several.join(", ")),
            ))
        }
    }
}

fn unclear(text: &str, why: &str) -> Refusal {
    Refusal::new(
        "tax_classification_unclear",
        format!(
            "{} {why}. Write one of \"sole proprietorship\", \"single-member LLC\", \"partnership\", \"multi-member LLC\", \
             \"S corporation\", \"C corporation\", \"LLC taxed as an S corporation\"; or set tax_form to one of schedule_c, \
             1065, 1120-S, 1120",
            quoted(text)
        ),
    )
    .with("value", text)
}

/// Where `run` begins in `words`.
fn find(words: &[String], run: &[&str]) -> Option<usize> {
    words.windows(run.len()).position(|window| window == run)
}

/// Puts one word in the place of every `run`; says whether there was any.
fn replace(words: &mut Vec<String>, run: &[&str], by: &str) -> bool {
    let mut found = false;
    while let Some(at) = find(words, run) {
        words.splice(at..at + run.len(), [by.to_owned()]);
        found = true;
    }
    found
}

#[cfg(test)]
mod tests;
