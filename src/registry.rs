//! The one list of domains, in reading order. A developer adds a domain here, and an operation in its domain.

use crate::{
    domains::{
        attachment, chart, company, digest, entry, import, overview, receipt, report, upkeep,
    },
    engine::Domain,
};

/// Every domain.
pub static DOMAINS: &[&Domain] = &[
    &company::DOMAIN,
    &chart::DOMAIN,
    &attachment::DOMAIN,
    &entry::DOMAIN,
    &receipt::DOMAIN,
    &import::DOMAIN,
    &report::DOMAIN,
    &overview::DOMAIN,
    &digest::DOMAIN,
    &upkeep::DOMAIN,
];
