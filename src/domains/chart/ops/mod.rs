//! The chart's operations, one a page.

pub mod add;
pub mod renumber;
pub mod role_assign;
pub mod role_list;
pub mod template;
pub mod update;
