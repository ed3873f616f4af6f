//! The one list of domains, in reading order. A developer adds a domain here, and an operation in its domain.

use crate::{
    domains::{
        attachment, bank, chart, class, closing, company, digest, entry, fx, import, overview,
        period, receipt, report, upkeep,
    },
    engine::Domain,
};

/// Every domain.
pub static DOMAINS: &[&Domain] = &[
    &company::DOMAIN,
    &chart::DOMAIN,
    &class::DOMAIN,
    &fx::DOMAIN,
    &period::DOMAIN,
    &attachment::DOMAIN,
    &entry::DOMAIN,
    &receipt::DOMAIN,
    &bank::DOMAIN,
    &import::DOMAIN,
    &report::DOMAIN,
    &closing::DOMAIN,
    &overview::DOMAIN,
    &digest::DOMAIN,
    &upkeep::DOMAIN,
];
