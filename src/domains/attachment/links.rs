//! Linking files to what they are about, taking links away, and retiring files. Nothing is erased by any of it.

use super::{
    events::{AttachmentLinked, AttachmentUnlinked, AttachmentWithdrawn},
    rules,
    subject::{Subject, SubjectRef},
    table::{self, Attachment},
};
use crate::{
    engine::{No, Result, Unlinking, Writer},
    model::{Refusal, TEXT_CHARS_MAX, typed},
};

/// What a new file is to be linked to: every subject is there, stands once, and is not the entry that it is filed on. All
/// faults are named together.
pub fn of_new(
    books: &Writer<'_>,
    link_to: &[SubjectRef],
    filed_on: Option<i64>,
) -> Result<Vec<Subject>> {
    rules::links_fit(link_to.len())?;
    let filed_on = filed_on.map(Subject::entry);
    let (mut subjects, mut refusals) = (Vec::with_capacity(link_to.len()), Vec::new());
    for (place, reference) in link_to.iter().enumerate() {
        match reference.resolve(&books.reader()) {
            Ok(subject) if subjects.contains(&subject) => {
                let message = "link_to names one subject twice";
                let refusal = Refusal::new("subject_named_twice", message).with("place", place);
                refusals.push(refusal.hint("name each subject once"));
            }
            Ok(subject) if filed_on.as_ref() == Some(&subject) => {
                let message = format!("the file is filed on entry {} already", subject.id);
                let refusal = Refusal::new("already_linked", message).with("place", place);
                refusals.push(refusal.hint("leave it out of link_to"));
            }
            Ok(subject) => subjects.push(subject),
            Err(No::Refused(reasons)) => {
                refusals.extend(
                    reasons
                        .into_iter()
                        .map(|reason| reason.with("place", place)),
                );
            }
            Err(other) => return Err(other),
        }
    }
    if refusals.is_empty() {
        Ok(subjects)
    } else {
        Err(No::Refused(refusals))
    }
}

/// Records a link that may be made.
pub fn record(books: &mut Writer<'_>, attachment_id: i64, subject: Subject) -> Result<()> {
    books.record(&AttachmentLinked {
        attachment_id,
        subject,
    })?;
    Ok(())
}

/// Refuses a link that may not be made: of a file that is withdrawn, linked there already, or linked to too much.
pub fn may_link(books: &Writer<'_>, attachment: &Attachment, subject: &Subject) -> Result<()> {
    let id = attachment.id;
    if attachment.withdrawn.is_some() {
        return Err(withdrawn(id).into());
    }
    let subjects = table::subjects(&books.view(), id)?;
    if subjects.contains(subject) {
        let shown = subject.shown(&books.reader())?;
        let of = shown.id.map(|id| format!(" {id}")).unwrap_or_default();
        let message = format!("attachment {id} is linked to {}{of} already", shown.kind);
        return Err(Refusal::new("already_linked", message)
            .with("attachment_id", id)
            .hint("nothing more is to be done")
            .into());
    }
    Ok(rules::links_fit(subjects.len() + 1)?)
}

/// Links a file to something, unless it is linked to it; gives whether it was not.
///
/// Refuses: a file that is withdrawn, or linked to too much.
pub fn link(books: &mut Writer<'_>, attachment: &Attachment, subject: Subject) -> Result<bool> {
    if table::subjects(&books.view(), attachment.id)?.contains(&subject) {
        return Ok(false);
    }
    may_link(books, attachment, &subject)?;
    record(books, attachment.id, subject)?;
    Ok(true)
}

/// Refuses to take away a link that is not there, or that another domain holds.
pub fn may_unlink(books: &Writer<'_>, attachment_id: i64, subject: &Subject) -> Result<()> {
    let reasons = books.reader().ask_unlinking(&Unlinking {
        attachment_id,
        kind: &subject.kind,
        id: subject.id,
    })?;
    if reasons.is_empty() {
        Ok(())
    } else {
        Err(No::Refused(reasons))
    }
}

/// Takes a link away. The file stays filed.
///
/// Refuses: a link that is not there, the entry that the file is filed on, a reason that cannot be kept, and what other domains
/// object to.
pub fn unlink(
    books: &mut Writer<'_>,
    attachment: &Attachment,
    (subject, reason): (Subject, &str),
) -> Result<()> {
    let reason = typed(reason, "reason", TEXT_CHARS_MAX)?;
    let id = attachment.id;
    if attachment.entry_id.map(Subject::entry).as_ref() == Some(&subject) {
        let message = format!("attachment {id} is filed on entry {}", subject.id);
        return Err(Refusal::new("filed_on_entry", message)
            .with("attachment_id", id)
            .with("entry_id", subject.id)
            .remedy(
                "books.unlink_receipt",
                format!("take it off with `wb receipt unlink {id} --reason TEXT`"),
            )
            .into());
    }
    if !table::subjects(&books.view(), id)?.contains(&subject) {
        let message = format!("attachment {id} is not linked there");
        return Err(Refusal::new("not_linked", message)
            .with("attachment_id", id)
            .remedy(
                "books.list_receipts",
                "see what it is linked to with `wb receipt list`",
            )
            .into());
    }
    may_unlink(books, id, &subject)?;
    books.record(&AttachmentUnlinked {
        attachment_id: id,
        subject,
        reason,
    })?;
    Ok(())
}

/// Retires a file: hidden from lists, never linked again, its bytes kept.
///
/// Refuses: a file that is withdrawn, a receipt that is linked to anything, a document with a link that another domain holds,
/// and a reason that cannot be kept.
pub fn withdraw(books: &mut Writer<'_>, attachment: &Attachment, reason: &str) -> Result<()> {
    let reason = typed(reason, "reason", TEXT_CHARS_MAX)?;
    let id = attachment.id;
    if attachment.withdrawn.is_some() {
        return Err(withdrawn(id).into());
    }
    let subjects = table::subjects(&books.view(), id)?;
    if attachment.entry_id.is_some() || (attachment.category.is_none() && !subjects.is_empty()) {
        let filed = attachment.entry_id;
        let where_to = filed.map_or("linked".to_owned(), |on| format!("filed on entry {on}"));
        let message =
            format!("receipt {id} is {where_to}; only one that is linked to nothing is withdrawn");
        let tool = match filed {
            Some(_) => "books.unlink_receipt",
            None => "books.unlink_attachment",
        };
        return Err(Refusal::new("attachment_linked", message)
            .with("attachment_id", id)
            .remedy(tool, "take its links away first")
            .into());
    }
    for subject in &subjects {
        may_unlink(books, id, subject)?;
    }
    books.record(&AttachmentWithdrawn {
        attachment_id: id,
        reason,
    })?;
    Ok(())
}

/// Why nothing is done with a file that is withdrawn.
pub fn withdrawn(id: i64) -> Refusal {
    let message = format!("attachment {id} is withdrawn; it is never linked again");
    Refusal::new("attachment_withdrawn", message)
        .with("attachment_id", id)
        .remedy(
            "books.attach_receipt",
            "file it again if it is wanted after all",
        )
}
