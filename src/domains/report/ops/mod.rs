//! The operations of reports, one a file.

pub mod balance_sheet;
pub mod by_class;
pub mod cash_flow;
pub mod chart_list;
pub mod profit_and_loss;
pub mod register;
pub mod trial_balance;
