//! The questions of `wb init`: each answer is checked when it is given, by the domain that founds books, and asked for again
//! with the reason when it does not fit.

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use dialoguer::{Confirm, Input};

use super::{Init, found, owner};
use crate::{
    engine::{Domain, Founding, No, Result},
    faces::terminal::Session,
    model::{Currency, visible},
};

/// The words for what a business is in law, and how a person says them.
const ENTITIES: &[(&str, &str)] = &[
    (
        "sole_proprietorship",
        "Sole proprietorship, or single-member LLC",
    ),
    ("partnership", "Partnership, or multi-member LLC"),
    ("s_corporation", "S corporation"),
    ("c_corporation", "C corporation"),
];

/// Completes the words for what a business is in law.
pub fn entities() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let all = ENTITIES.iter();
        all.map(|(word, label)| CompletionCandidate::new(*word).help(Some((*label).into())))
            .collect()
    })
}

/// Asks for what was not given.
///
/// Refuses: an entity on the command line that does not exist, before anything is asked.
pub fn ask(session: &mut Session<'_>, wanted: &mut Init) -> Result<()> {
    let domains = session.domains;
    if let Some(given) = &wanted.entity
        && !ENTITIES.iter().any(|(word, _)| word == given)
    {
        found(domains, &simple("", given))?;
    }
    if wanted.company.is_none() {
        let answer = text("Company name", None, |text| company(domains, text))?;
        wanted.company = Some(answer);
    }
    if wanted.entity.is_none() {
        for (number, (word, label)) in (1..).zip(ENTITIES) {
            session
                .console
                .note(&format!("  {number}  {label} ({word})"));
        }
        let prompt = "What is it in law (a number, or the beginning of its name)";
        let answer = text(prompt, Some("1"), |text| entity(text).map(drop))?;
        wanted.entity = entity(&answer).ok().map(str::to_owned);
    }
    if wanted.owners.is_empty() {
        let prompt =
            "Owners, separated by commas, each with a share if you like (Ada=60%, Grace=40%)";
        let law = wanted.entity.clone().unwrap_or_default();
        let answer = text(prompt, Some(""), |text| owners(domains, &law, text))?;
        wanted.owners = split(&answer);
    }
    if wanted.fiscal_year_start.is_none() {
        let prompt = "First day of the fiscal year (MM-01)";
        let answer = text(prompt, Some("01-01"), |text| fiscal_year(domains, text))?;
        wanted.fiscal_year_start = Some(answer);
    }
    if wanted.currency.is_none() {
        let answer = text("Base currency", Some("USD"), currency)?;
        wanted.currency = Some(answer);
    }
    if !wanted.no_chart {
        let import = Confirm::new()
            .with_prompt("Import the starter chart of accounts?")
            .default(true);
        wanted.no_chart = !import.interact().map_err(stopped)?;
    }
    Ok(())
}

/// One question, repeated with the reason until its answer fits.
fn text(
    prompt: &str,
    default: Option<&str>,
    check: impl Fn(&str) -> Result<(), String>,
) -> Result<String> {
    let mut input = Input::<String>::new()
        .with_prompt(prompt)
        .validate_with(|answer: &String| {
            check(answer.trim()).map_err(|why| visible(&why).into_owned())
        });
    input = match default {
        Some("") => input.allow_empty(true),
        Some(default) => input.default(default.to_owned()),
        None => input,
    };
    let answer = input.interact_text().map_err(stopped)?;
    Ok(answer.trim().to_owned())
}

fn stopped(error: dialoguer::Error) -> No {
    No::argument("", format!("not answered: {error}; nothing was made"))
}

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
        return Err("a company has a name".to_owned());
    }
    fits(domains, &simple(text, ENTITIES[0].0))
}

fn owners(domains: &[&Domain], entity: &str, text: &str) -> Result<(), String> {
    let owners = split(text).iter().map(|o| owner(o)).collect();
    let founding = Founding {
        owners,
        ..simple("", entity)
    };
    fits(domains, &founding)
}

fn fiscal_year(domains: &[&Domain], text: &str) -> Result<(), String> {
    let founding = Founding {
        fiscal_year_start: Some(text.to_owned()),
        ..simple("", ENTITIES[0].0)
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

/// The entity that an answer names: by its number, its word, or the beginning of either name.
fn entity(answer: &str) -> Result<&'static str, String> {
    let typed = answer.trim().to_lowercase().replace(' ', "_");
    let begins = |name: &str| name.to_lowercase().replace(' ', "_").starts_with(&typed);
    let named = |(place, (word, label)): &(usize, &(&'static str, &str))| {
        typed == (place + 1).to_string() || begins(word) || begins(label)
    };
    let found: Vec<_> = ENTITIES.iter().enumerate().filter(named).collect();
    match found.as_slice() {
        [(_, (word, _))] if !typed.is_empty() => Ok(word),
        [] => Err(format!("write a number from 1 to {}", ENTITIES.len())),
        _ => Err("more than one begins so; write more of it, or its number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::DOMAINS;

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
            assert_eq!(entity(answer).ok(), word, "{answer}");
        }
    }

    /// Each answer is refused for its own fault alone, when it is given.
    #[test]
    fn answers_are_checked_one_by_one() {
        let all = DOMAINS;
        assert_eq!(company(all, "Acorn"), Ok(()));
        assert!(company(all, "").is_err() && company(all, "A\u{202e}").is_err());
        assert_eq!(owners(all, "partnership", "Ada=60%, Grace=40%"), Ok(()));
        for wrong in ["", "Ada", "Ada=60%, Grace=50%", "Ada=x, Grace=40%"] {
            assert!(owners(all, "partnership", wrong).is_err(), "{wrong}");
        }
        assert_eq!(owners(all, "s_corporation", ""), Ok(()));
        assert_eq!(fiscal_year(all, "07-01"), Ok(()));
        for wrong in ["", "13-01", "07-02", "July"] {
            assert!(fiscal_year(all, wrong).is_err(), "{wrong}");
        }
        assert_eq!(currency("EUR"), Ok(()));
        assert!(currency("ZZZ").is_err() && currency("").is_err());
    }
}
