//! The chart's operations, one a page.

pub mod add;
pub mod renumber;
pub mod template;
pub mod update;
