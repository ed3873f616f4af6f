//! Who did it, as a digest shows them.

use serde::Deserialize;

/// Who wrote an event, as the journal has it. What else a face may have written is not told.
#[derive(Deserialize)]
struct By {
    face: String,
    user: Option<String>,
    client: Option<String>,
}

/// Who wrote an event by their own word, in a few words: `terminal ada`. Of what a face wrote that is not known here, nothing is
/// told.
pub fn by(json: &str) -> String {
    let Ok(by) = serde_json::from_str::<By>(json) else {
        return "unknown".to_owned();
    };
    match by.user.or(by.client) {
        Some(who) => format!("{} {who}", by.face),
        None => by.face,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who wrote is told by face and name; what cannot be read is nobody.
    #[test]
    fn who() {
        let words = by;
        assert_eq!(words(r#"{"face":"terminal","user":"ada"}"#), "terminal ada");
        assert_eq!(
            words(r#"{"face":"mcp","client":"desk/1.0"}"#),
            "mcp desk/1.0"
        );
        assert_eq!(words(r#"{"face":"viewer","page":7}"#), "viewer");
        assert_eq!(words("7"), "unknown");
    }
}
