//! Filing a file of this machine, without its bytes travelling through an argument.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    domains::{
        attachment::{self, Category, FiledView, NewFile, SubjectRef},
        company::Settings,
        receipt,
    },
    engine::{
        CONTENT_BYTES_MAX, Example, LocalFolders, No, Operation, Page, Result, Write, Writer,
    },
    present::Sheet,
    wire_enum,
};

wire_enum! {
    /// What a local file is filed as.
    pub enum FiledAs {
        /// For an entry
        Receipt = "receipt",
        /// Anything else
        Document = "document",
    }
}

/// File a receipt or document from the inbox
///
/// Or from `[files] import_dirs`; links are not followed.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct LocalFile {
    /// Such as inbox/a.pdf
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Filed as
    #[arg(long, value_name = "CATEGORY")]
    pub category: FiledAs,
    /// The entry of a receipt
    #[arg(long = "entry", value_name = "ENTRY")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// Default: other
    #[arg(long, value_name = "CATEGORY")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub document_category: Option<Category>,
    /// What it is
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is about
    #[arg(long = "link-to", value_name = "SUBJECT")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link_to: Vec<SubjectRef>,
}

impl Operation for LocalFile {
    const VERB: &'static str = "import local-file";
    const TOOL: &'static str = "books.import_local_file";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "inbox/lease.txt --category document --document-category contract",
        r#"{"path":"inbox/lease.txt","category":"document","document_category":"contract"}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["attachment_id"];
    type Output = FiledView;

    fn sheet(output: &FiledView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(attachment::filed_sheet(output, page)))
    }
}

impl Write for LocalFile {
    fn run(self, books: &mut Writer<'_>) -> Result<FiledView> {
        let category = self.document()?;
        if let Some(entry_id) = self.entry_id {
            receipt::must_take_receipts(books, entry_id)?;
        }
        let settings = Settings::of(&books.reader())?;
        let folders = LocalFolders {
            open: &settings.import_dirs,
            key_file: settings.key_file.as_deref(),
        };
        let (bytes, name) =
            books
                .reader()
                .local_file(&self.path, folders, CONTENT_BYTES_MAX as u64)?;
        let new = NewFile {
            bytes: bytes.into(),
            name: &name,
            mime_type: None,
            description: self.description.as_deref(),
            category,
            entry_id: self.entry_id,
            link_to: &self.link_to,
        };
        let filed = attachment::file(books, new)?;
        FiledView::of(&books.reader(), filed)
    }
}

impl LocalFile {
    /// What kind of document it is; none of a receipt.
    ///
    /// Refuses: arguments that belong to the other.
    fn document(&self) -> Result<Option<Category>> {
        match (self.category, self.document_category, self.entry_id) {
            (FiledAs::Receipt, Some(_), _) => Err(No::argument(
                "document_category",
                "a receipt has no document_category",
            )),
            (FiledAs::Document, _, Some(_)) => Err(No::argument(
                "entry_id",
                "a document is filed on no entry; link it with link_to",
            )),
            (FiledAs::Receipt, None, _) => Ok(None),
            (FiledAs::Document, category, None) => Ok(Some(category.unwrap_or(Category::Other))),
        }
    }
}
