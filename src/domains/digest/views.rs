//! Who did it, as a digest shows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who wrote an event, by their own word.
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct By {
    /// The face they used
    pub face: String,
    /// The user at the terminal
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The client, by its own word
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

impl By {
    /// In a few words: `terminal ada`.
    pub fn words(&self) -> String {
        let who = self.user.as_ref().or(self.client.as_ref());
        match who {
            Some(who) => format!("{} {who}", self.face),
            None => self.face.clone(),
        }
    }
}

/// Who wrote an event, from what stands in the journal. Of what a face wrote that is not known here, nothing is told.
pub fn by(json: &str) -> By {
    let nobody = By {
        face: "unknown".to_owned(),
        user: None,
        client: None,
    };
    serde_json::from_str(json).unwrap_or(nobody)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who wrote is told by face and name; what cannot be read is nobody.
    #[test]
    fn who() {
        let words = |json: &str| by(json).words();
        assert_eq!(words(r#"{"face":"terminal","user":"ada"}"#), "terminal ada");
        assert_eq!(
            words(r#"{"face":"mcp","client":"desk/1.0"}"#),
            "mcp desk/1.0"
        );
        assert_eq!(words(r#"{"face":"viewer","page":7}"#), "viewer");
        assert_eq!(words("7"), "unknown");
    }
}
