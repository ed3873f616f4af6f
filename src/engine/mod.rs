//! Machinery: what an operation, an event and a domain are, and the one road that every change travels. Knows no business.

mod arguments;
mod books;
mod clock;
mod content;
mod copies;
mod domain;
mod house;
mod local;
mod lookback;
mod no;
mod operation;
mod page;
mod request;
mod restored;
mod road;
mod schema;
mod settings;
mod site;
mod source;
mod subject;
mod table;
mod window;
mod words;
mod writer;

pub use arguments::{CONTROLS, Control, from_json};
pub use books::{Books, ENGINE, Progress, projection};
pub use content::{CONTENT_BYTES_MAX, Content, Encoded};
pub use copies::{BackupStanding, LastBackup};
pub use domain::{
    Domain, Event, EventDef, Facts, Filling, Foundation, Hooks, Occasion, Posting, Thing, Uses,
    Verdict, by_tool, operations,
};
pub use house::{Calls, Drilled, House};
pub use local::LocalFolders;
pub use lookback::Written;
pub use no::{No, Result};
pub use operation::{
    Call, Confirm, Effect, Example, Gives, OpDef, Operation, Read, Stake, Upkeep, Write,
};
pub use page::Page;
pub use restored::{Acceptance, BooksRestored, GivenUp, HeadOnPaper};
pub use road::{Answer, Caller, Previews};
pub use schema::{full_output_schema, input_schema, output_schema, value_schema};
pub use settings::{SettingsChanged, SettingsFile, without_mark};
pub use site::Site;
pub use source::Source;
pub use subject::{SubjectKey, SubjectKind, Unlinking};
pub use window::{Extent, Window};
pub use words::plain_numbers;
pub use writer::{Reader, Standing, Writer, not_as_told};
