//! The door of the chart: templates, tax keys, control roles and the reading of a chart's CSV. No logic stands here.

mod csv;
mod roles;
mod tax;
mod template;

pub use csv::{CODE_CHARS_MAX, ChartRow, Fault, code_ok, read_chart};
pub use roles::{ROLES, Role, RoleDefault, guard_code};
pub use tax::{TaxCategory, TaxKind, category, check_category, offered_for};
pub use template::{EntityType, OWNERS_MAX, Owner, Template, template};
