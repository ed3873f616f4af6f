//! The one list of domains, in reading order. A developer adds a domain here, and an operation in its domain.

use crate::{
    domains::{chart, company, digest, entry, import, overview, report, upkeep},
    engine::Domain,
};

/// Every domain.
pub static DOMAINS: &[&Domain] = &[
    &company::DOMAIN,
    &chart::DOMAIN,
    &entry::DOMAIN,
    &import::DOMAIN,
    &report::DOMAIN,
    &overview::DOMAIN,
    &digest::DOMAIN,
    &upkeep::DOMAIN,
];
