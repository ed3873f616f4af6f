//! What stored files can be linked to: the kinds that domains offer, and who has a say when a link is taken away. Links
//! themselves are kept elsewhere.

use super::{No, Reader, Result};
use crate::model::{Refusal, quoted};

/// A kind of thing that stored files can be linked to, as the domain that has such things offers it.
pub struct SubjectKind {
    /// Its word: `entry`, `account`.
    pub kind: &'static str,
    /// The id of the thing that a reference names; [`SubjectKind::ONLY`] where there is but one.
    ///
    /// Refuses: a reference that names none.
    pub find: fn(&Reader<'_>, SubjectKey<'_>) -> Result<i64>,
    /// What the thing with an id is called. Only ids that were found are asked for.
    pub label: fn(&Reader<'_>, i64) -> Result<String>,
}

impl SubjectKind {
    /// The id of the thing of a kind of which there is only one.
    pub const ONLY: i64 = 0;
}

/// How a thing is named beside its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubjectKey<'k> {
    /// Not at all.
    None,
    /// By its id.
    Id(i64),
    /// By its code, tag or name.
    Name(&'k str),
}

impl SubjectKey<'_> {
    /// The id, for kinds whose things have no other name.
    ///
    /// Refuses: anything else; `kind` names the kind.
    pub fn id(self, kind: &str) -> Result<i64> {
        match self {
            SubjectKey::Id(id) => Ok(id),
            SubjectKey::None => Err(No::argument(
                "subject",
                format!("say which {kind}, by its id"),
            )),
            SubjectKey::Name(name) => {
                let message = format!("{} is no id; {kind} takes a whole number", quoted(name));
                Err(No::argument("subject", message))
            }
        }
    }
}

/// A link that is about to be taken away.
#[derive(Clone, Copy, Debug)]
pub struct Unlinking<'a> {
    /// The file.
    pub attachment_id: i64,
    /// The kind of what it is linked to.
    pub kind: &'a str,
    /// Which.
    pub id: i64,
}

impl Reader<'_> {
    /// The kind of subject with this word.
    ///
    /// Refuses: a word that no domain offers.
    pub fn subject_kind(&self, word: &str) -> Result<&'static SubjectKind> {
        let all = || self.scene.domains.iter().flat_map(|d| d.hooks.subjects);
        all().find(|kind| kind.kind == word).ok_or_else(|| {
            let known = all().map(|kind| kind.kind).collect::<Vec<_>>().join(", ");
            let message = format!(
                "files cannot be linked to a thing of the kind {}; the kinds are {known}",
                quoted(word)
            );
            Refusal::new("unknown_subject_kind", message)
                .with("kind", word.chars().take(200).collect::<String>())
                .hint("write a subject such as `account:1000`, `entry:5` or `company`")
                .into()
        })
    }

    /// Every reason why a link may not be taken away.
    pub fn ask_unlinking(&self, link: &Unlinking<'_>) -> Result<Vec<Refusal>> {
        let mut all = Vec::new();
        for hook in self.scene.domains.iter().filter_map(|d| d.hooks.unlinking) {
            all.extend(hook(self, link)?);
        }
        Ok(all)
    }
}
