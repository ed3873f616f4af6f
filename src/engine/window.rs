//! Pages of long lists: which part to give, and where the next part begins.

use schemars::JsonSchema;
use serde::Serialize;

/// The part of a list that an answer gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// How many rows at most; `None` for all.
    pub limit: Option<u32>,
    /// How many rows are passed over first.
    pub offset: u32,
}

impl Window {
    pub(super) fn new(limit: Option<u32>, offset: Option<u32>, rows_max: Option<u32>) -> Window {
        let limit = match (limit, rows_max) {
            (Some(limit), Some(max)) => Some(limit.clamp(1, max)),
            (limit, max) => limit.map(|l| l.max(1)).or(max),
        };
        Window {
            limit,
            offset: offset.unwrap_or(0),
        }
    }

    /// The rows of `all` that the window shows.
    pub fn cut<T>(self, all: Vec<T>) -> Vec<T> {
        let limit = self.limit.map_or(usize::MAX, |l| l as usize);
        all.into_iter()
            .skip(self.offset as usize)
            .take(limit)
            .collect()
    }

    /// Where the next part begins, if rows are left after `shown` of `total`.
    pub fn next(self, shown: usize, total: i64) -> Option<u32> {
        let end = i64::from(self.offset) + i64::try_from(shown).unwrap_or(i64::MAX);
        (end < total).then(|| u32::try_from(end).unwrap_or(u32::MAX))
    }

    /// What an answer says of the list of `total` rows of which it gives `shown`.
    pub fn extent(self, shown: usize, total: i64) -> Extent {
        let next_offset = self.next(shown, total);
        Extent {
            total,
            truncated: next_offset.is_some(),
            next_offset,
        }
    }
}

/// What an answer says of a list of which it gives a part.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// How many there are
    pub total: i64,
    /// Whether more follow
    pub truncated: bool,
    /// The offset of the next page
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
}

impl Extent {
    /// The note under a page after which more follow; `rows` is what its `shown` rows are.
    pub fn note(&self, shown: usize, rows: &str) -> Option<String> {
        let next = self.next_offset?;
        Some(format!(
            "{shown} of {} {rows}; the next begin at --offset {next}.",
            self.total
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit above the cap is clamped; without a cap nothing is cut; the next page begins where this one ends.
    #[test]
    fn windows() {
        assert_eq!(Window::new(Some(500), None, Some(100)).limit, Some(100));
        assert_eq!(Window::new(Some(0), None, Some(100)).limit, Some(1));
        assert_eq!(Window::new(None, None, Some(100)).limit, Some(100));
        assert_eq!(Window::new(Some(500), None, None).limit, Some(500));
        assert_eq!(Window::new(None, None, None).limit, None);
        let window = Window::new(Some(2), Some(1), None);
        assert_eq!(window.cut(vec![1, 2, 3, 4]), [2, 3]);
        assert_eq!((window.next(2, 4), window.next(2, 3)), (Some(3), None));
        let note = |shown, total| window.extent(shown, total).note(shown, "entries");
        let next = "2 of 4 entries; the next begin at --offset 3.";
        assert_eq!((note(2, 4).as_deref(), note(2, 3)), (Some(next), None));
    }
}
