//! What can have happened to classes.

use serde::{Deserialize, Serialize};

use super::table::CLASS;
use crate::{
    engine::{Event, Occasion},
    model::fold_for_search,
    store::{Fold, FoldResult},
};

/// A class was added.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClassAdded {
    /// Its id, for ever.
    pub class_id: i64,
    /// Its name.
    pub name: String,
}

impl Event for ClassAdded {
    const KIND: &'static str = "class.added";
    const V: u32 = 1;
    const ABOUT: &'static str = "A class was added, with which lines can be tagged.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let ClassAdded { class_id, name } = self;
        let folded = fold_for_search(name);
        tables.insert(&CLASS, &[(*class_id).into(), name.into(), (&folded).into()])
    }
}
