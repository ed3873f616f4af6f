//! The entries' operations, one a page.

pub mod add_line;
pub mod discard;
pub mod draft;
pub mod post;
pub mod remove_line;
pub mod reverse;
pub mod search;
pub mod show;
pub mod update;
