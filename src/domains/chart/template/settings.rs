//! The settings text that goes with a starter chart; what the keys mean is told where they are read, in the company domain.

use super::{EntityType, owners::Holder};

/// What the text is made of.
pub(super) struct Page<'a> {
    pub(super) entity: EntityType,
    pub(super) company: Option<&'a str>,
    /// `MM-01`, checked.
    pub(super) fiscal_year_start: &'a str,
    pub(super) members: &'a [Holder],
}

impl Page<'_> {
    /// The text of `wanderbooks.toml`.
    pub(super) fn text(&self) -> String {
        let mut lines = vec!["[company]".to_owned()];
        lines.push(match self.company {
            Some(name) => format!("name = {}", toml_string(name)),
            None => "# name = \"the name that heads every report\"".to_owned(),
        });
        lines.push(format!(
            "fiscal_year_start = \"{}\"",
            self.fiscal_year_start
        ));
        lines.push(format!("tax_form = \"{}\"", self.entity.tax_form()));
        for member in self.members {
            lines.push(String::new());
            lines.push("[[company.members]]".to_owned());
            lines.push(format!("name = {}", toml_string(&member.name)));
            lines.push(format!("share = \"{}\"", member.share));
            lines.push(format!("capital_account = \"{}\"", member.capital));
            lines.push(format!(
                "distribution_account = \"{}\"",
                member.distributions
            ));
        }
        lines.push(String::new());
        lines.push("[books]".to_owned());
        lines.push("accounting_basis = \"accrual\"".to_owned());
        lines.push("cash_accounts = [\"1000\", \"1010\", \"1050\"]".to_owned());
        lines.push("financing_accounts = [\"2500\", \"2600\", \"2650\", \"2700\"]".to_owned());
        lines.push("investing_accounts = [\"1700\"]".to_owned());
        let close = match self.entity {
            EntityType::SoleProprietorship => Some(("3000", "3100")),
            // Each member's own capital account takes the close.
            EntityType::Partnership => None,
            EntityType::SCorporation => Some(("3999", "3200")),
            EntityType::CCorporation => Some(("3999", "3300")),
        };
        if let Some((into, sweep)) = close {
            lines.push(format!("close_into = \"{into}\""));
            lines.push(format!("close_sweep = [\"{sweep}\"]"));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// A TOML basic string of typed text, which holds no control characters.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
