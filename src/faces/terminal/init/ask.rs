//! The questions of `wb init`: each answer is checked when it is given, by the domain that founds books, and asked for again
//! with the reason when it does not fit.

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use super::{Founding, Init, found};
use crate::{
    engine::{Domain, No, Result, by_tool},
    faces::terminal::{
        Session,
        question::{self, Question, Unanswered},
    },
    model::Currency,
    registry::DOMAINS,
};

/// The operation whose argument says what a business can be in law.
const FOUNDING_TOOL: &str = "books.chart_template";

/// A word for what a business is in law, and what it means.
#[derive(Clone, Debug)]
struct Entity {
    word: String,
    about: String,
}

impl Entity {
    /// Its name as people write it.
    fn name(&self) -> String {
        let words = self.word.replace('_', " ");
        let mut letters = words.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect()
    }

    /// The least of its name that tells it from the others, as a hint: two words at most, the second cut short.
    fn beginning(&self) -> String {
        let words = self.word.replace('_', " ");
        match words.split_once(' ') {
            Some((first, rest)) if first.len() == 1 => {
                let rest: String = rest.chars().take(4).collect();
                format!("{first} {rest}")
            }
            Some((first, _)) => first.to_owned(),
            None => words,
        }
    }
}

/// What a business can be in law, from the operation that proposes charts.
fn entities(domains: &[&'static Domain]) -> Vec<Entity> {
    let Some(op) = by_tool(domains, FOUNDING_TOOL) else {
        return Vec::new();
    };
    let command = (op.augment)(clap::Command::new(op.verb));
    let values = command.get_positionals().next();
    let values = values
        .map(clap::Arg::get_possible_values)
        .unwrap_or_default();
    let entity = |value: &clap::builder::PossibleValue| Entity {
        word: value.get_name().to_owned(),
        about: value
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default(),
    };
    values.iter().map(entity).collect()
}

/// Completes the words for what a business is in law.
pub fn completed() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let all = entities(DOMAINS).into_iter();
        all.map(|e| CompletionCandidate::new(e.word).help(Some(e.about.into())))
            .collect()
    })
}

/// Asks for what was not given.
///
/// Refuses: an entity on the command line that does not exist, before anything is asked.
pub fn ask(session: &mut Session<'_>, wanted: &mut Init) -> Result<()> {
    let domains = session.domains;
    if let Some(given) = &wanted.entity {
        found(domains, &simple("", given))
            .map(drop)
            .or_else(known)?;
    }
    if wanted.company.is_none() {
        let check = |text: &str| company(domains, text);
        wanted.company = Some(text(session, "Company name", None, check)?);
    }
    if wanted.entity.is_none() {
        let entities = entities(domains);
        session.console.note("What the business is in law:");
        for (number, entity) in (1..).zip(&entities) {
            let (name, about) = (entity.name(), &entity.about);
            let line = format!("  {number}  {name}: {about}");
            if session.console.fits(&line) {
                session.console.note(&line);
            } else {
                session.console.note(&format!("  {number}  {name}"));
                session.console.note(&format!("     {about}"));
            }
        }
        let check = |text: &str| chosen(&entities, text).map(drop);
        let answer = text(session, "Its number or name", Some("1"), check)?;
        wanted.entity = chosen(&entities, &answer).ok();
    }
    let law = wanted.entity.clone().unwrap_or_default();
    // Where books can be founded without owners, their names would make nothing.
    if wanted.owners.is_empty() && owners(domains, &law, "").is_err() {
        session.console.note(
            "The owners, separated by commas: Ada, Grace for equal shares, or Ada=60%, Grace=40%",
        );
        let check = |text: &str| owners(domains, &law, text);
        let answer = text(session, "Owners", None, check)?;
        wanted.owners = split(&answer);
    }
    if wanted.fiscal_year_start.is_none() {
        let check = |text: &str| fiscal_year(domains, text);
        session
            .console
            .note("The fiscal year's first day, as MM-01; 01-01 is the calendar year's");
        let prompt = "Fiscal year begins";
        wanted.fiscal_year_start = Some(text(session, prompt, Some("01-01"), check)?);
    }
    if wanted.currency.is_none() {
        session
            .console
            .note("The currency of every amount, by its three letters; it cannot be changed later");
        wanted.currency = Some(text(session, "Base currency", Some("USD"), currency)?);
    }
    if !wanted.no_chart {
        let prompt = "Import the starter chart?";
        let import = question::yes_or_no(session.console, prompt, true);
        wanted.no_chart = !import.map_err(unanswered)?;
    }
    Ok(())
}

/// Passes every refusal of an entity's name but that its owners are still missing.
fn known(no: No) -> Result<()> {
    match no {
        No::Usage(_) => Err(no),
        _ => Ok(()),
    }
}

/// One question.
fn text(
    session: &mut Session<'_>,
    prompt: &str,
    default: Option<&str>,
    check: impl Fn(&str) -> Result<(), String>,
) -> Result<String> {
    let prompt = match default {
        Some(default) => format!("{prompt} [{default}]: "),
        None => format!("{prompt}: "),
    };
    let question = Question {
        prompt,
        default,
        check: &check,
    };
    question::ask(session.console, &question).map_err(unanswered)
}

/// A question without an answer leaves everything as it was.
fn unanswered(_: Unanswered) -> No {
    No::argument("", "nothing was made")
}

/// What needs no owners, so that everything else can be checked without them.
const SIMPLEST: &str = "sole_proprietorship";

/// Books of the simplest kind, in which only the part in question can be at fault.
fn simple(company: &str, entity: &str) -> Founding {
    Founding {
        company: company.to_owned(),
        entity: entity.to_owned(),
        owners: Vec::new(),
        fiscal_year_start: None,
    }
}

fn fits(domains: &[&Domain], founding: &Founding) -> Result<(), String> {
    let made = found(domains, founding).map(drop);
    made.map_err(|no| no.sentences().0.join("; "))
}

fn company(domains: &[&Domain], text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("books belong to a company: write its name, or leave with Ctrl-C".to_owned());
    }
    fits(domains, &simple(text, SIMPLEST))
}

fn owners(domains: &[&Domain], entity: &str, text: &str) -> Result<(), String> {
    let founding = Founding {
        owners: split(text),
        ..simple("", entity)
    };
    fits(domains, &founding)
}

fn fiscal_year(domains: &[&Domain], text: &str) -> Result<(), String> {
    let founding = Founding {
        fiscal_year_start: Some(text.to_owned()),
        ..simple("", SIMPLEST)
    };
    fits(domains, &founding)
}

fn currency(text: &str) -> Result<(), String> {
    let read = Currency::from_code(text).map(drop);
    read.map_err(|refusal| refusal.message)
}

/// The owners of an answer.
fn split(text: &str) -> Vec<String> {
    let parts = text.split(',').map(str::trim);
    parts.filter(|o| !o.is_empty()).map(str::to_owned).collect()
}

/// The word of the entity that an answer names: by its number, or the beginning of its name.
///
/// Refuses, with every way to answer: what names none, or more than one.
fn chosen(entities: &[Entity], answer: &str) -> Result<String, String> {
    let typed = answer.trim().to_lowercase().replace([' ', '-'], "_");
    let named = |(number, entity): &(usize, &Entity)| {
        typed == number.to_string() || entity.word.starts_with(&typed)
    };
    let found: Vec<_> = (1..).zip(entities).filter(named).collect();
    match found.as_slice() {
        [(_, entity)] if !typed.is_empty() => Ok(entity.word.clone()),
        _ => {
            let ways: Vec<String> = entities.iter().map(Entity::beginning).collect();
            Err(format!(
                "write a number from 1 to {}, or the beginning of one name: {}",
                entities.len(),
                ways.join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entity is named by number, by word, or by as much of its name as tells it from the others.
    #[test]
    fn entities_by_number_word_and_beginning() {
        for (answer, word) in [
            ("1", Some("sole_proprietorship")),
            ("2", Some("partnership")),
            ("par", Some("partnership")),
            ("S corp", Some("s_corporation")),
            ("s_corporation", Some("s_corporation")),
            ("C", Some("c_corporation")),
            ("s", None),
            ("llc", None),
            ("5", None),
            ("", None),
        ] {
            let found = chosen(&entities(DOMAINS), answer);
            assert_eq!(found.ok().as_deref(), word, "{answer}");
        }
        let ways = "write a number from 1 to 4, or the beginning of one name: sole, partnership, s corp, c corp";
        assert_eq!(chosen(&entities(DOMAINS), "llc"), Err(ways.to_owned()));
        for entity in entities(DOMAINS) {
            let found = chosen(&entities(DOMAINS), &entity.beginning());
            assert_eq!(found, Ok(entity.word));
        }
    }

    /// Each answer is refused for its own fault alone, when it is given.
    #[test]
    fn answers_are_checked_one_by_one() {
        let all = DOMAINS;
        assert_eq!(company(all, "Acorn"), Ok(()));
        assert!(company(all, "").is_err() && company(all, "A\u{202e}").is_err());
        assert_eq!(owners(all, "partnership", "Ada=60%, Grace=40%"), Ok(()));
        for wrong in [
            "",
            "Ada",
            "Ada=60%, Grace=50%",
            "Ada=x, Grace=40%",
            "Ada=60, Grace=40",
        ] {
            assert!(owners(all, "partnership", wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            owners(all, "partnership", "Ada=60, Grace=40"),
            Err("\"60\" is not a share; for percent write 60%".to_owned())
        );
        assert_eq!(owners(all, "s_corporation", ""), Ok(()));
        assert_eq!(fiscal_year(all, "07-01"), Ok(()));
        for wrong in ["", "13-01", "07-02", "July"] {
            assert!(fiscal_year(all, wrong).is_err(), "{wrong}");
        }
        assert_eq!(currency("EUR"), Ok(()));
        assert!(currency("ZZZ").is_err() && currency("").is_err());
    }
}
