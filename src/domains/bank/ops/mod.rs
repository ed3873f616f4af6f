//! The operations on statements and reconciliations, one a file.

pub mod mark;
pub mod reconcile_list;
pub mod record;
pub mod run;
pub mod statement_list;
pub mod void;
