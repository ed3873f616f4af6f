//! Receipts over MCP: the rule that tools state, the road from a refusal to a posting, and a file as a resource.

use data_encoding::BASE64;

use super::*;

const PDF: &[u8] = b"%PDF-1.4\nPaper 84.50\n";

/// The tools that a receipt goes through state the rule, and that going round it is forbidden (spec/mcp.md).
#[test]
fn the_rule_is_told() {
    let description = |name: &str| operation(name).description().1.replace('\n', " ");
    let post = description("books.post_entry");
    for sentence in [
        "Above the receipt policy's threshold it is refused without a receipt: attach it; shrinking or splitting an entry to pass \
         is forbidden.",
        "Show it to the human before confirming.",
    ] {
        assert!(post.contains(sentence), "{post}");
    }
    let attach = description("books.attach_receipt");
    for sentence in [
        "Attach at record time: postings above the policy's threshold are refused without one (`receipt_required`).",
        "Then get the receipt; shrinking or splitting an entry to pass is forbidden.",
    ] {
        assert!(attach.contains(sentence), "{attach}");
    }
}

/// A confirmation without the receipt is refused with the tool that helps; attaching it voids the preview that said it was
/// missing, and after another preview the entry is posted.
#[test]
fn from_refusal_to_posting() {
    let house = House::new(registry::DOMAINS, "");
    let mut client = Client::of(&house, Era::Stateless);
    let lines = json!([
        {"account": "6800", "side": "debit", "amount": "84.50"},
        {"account": "1000", "side": "credit", "amount": "84.50"},
    ]);
    let args = json!({"date": "2026-11-03", "description": "Paper", "lines": lines});
    let id = client.call("books.draft_entry", args).expect("a draft")["entry_id"].clone();
    let seen = client
        .call("books.post_entry", json!({"entry_id": id}))
        .expect("a preview");
    assert_eq!(seen["receipt_missing"], json!(true));
    assert_eq!(seen["warnings"].as_array().map(Vec::len), Some(1));
    let confirm =
        |seen: &Value| json!({"entry_id": id, "confirmed": true, "if_preview": seen["preview"]});
    let refused = client
        .call("books.post_entry", confirm(&seen))
        .expect_err("a refusal");
    assert_eq!(
        (&refused["code"], &refused["remedy_tool"]),
        (&json!("receipt_required"), &json!("books.attach_receipt"))
    );
    let nameless = json!({"entry_id": id, "content_base64": BASE64.encode(PDF)});
    let refused = client
        .call("books.attach_receipt", nameless)
        .expect_err("a refusal");
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("invalid_arguments"), &json!("file_name"))
    );
    let args = json!({"entry_id": id, "file_name": "paper.pdf", "mime_type": "application/pdf",
        "content_base64": BASE64.encode(PDF)});
    client
        .call("books.attach_receipt", args)
        .expect("an attachment");
    let stale = client
        .call("books.post_entry", confirm(&seen))
        .expect_err("a refusal");
    assert_eq!(stale["code"], json!("preview_stale"));
    let seen = client
        .call("books.post_entry", json!({"entry_id": id}))
        .expect("a preview");
    assert_eq!(
        seen["receipts"],
        json!([{"attachment_id": 1, "file_name": "paper.pdf"}])
    );
    let posted = client
        .call("books.post_entry", confirm(&seen))
        .expect("a posting");
    assert_eq!(posted["status"], json!("posted"));
    client.leave().expect("the end of the input is no error");
}

/// A receipt is a resource: what is known of it as JSON, and the file itself with its own media type.
#[test]
fn a_receipt_is_a_resource() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let args = json!({"file_name": "paper.pdf", "content_base64": BASE64.encode(PDF)});
    client
        .call("books.attach_receipt", args)
        .expect("an attachment");
    let listed = client.ask("resources/templates/list", json!({}));
    let templates = listed["result"]["resourceTemplates"].to_string();
    assert!(
        templates.contains("books://receipts/{attachment_id}"),
        "{listed}"
    );
    let read = client.ask("resources/read", json!({"uri": "books://receipts/1"}));
    let contents = &read["result"]["contents"];
    assert_eq!(contents[1]["mimeType"], json!("application/pdf"));
    assert_eq!(contents[1]["blob"], json!(BASE64.encode(PDF)));
    let text = contents[0]["text"].as_str().expect("a text");
    let told: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(told["file_name"], json!("paper.pdf"));
    assert_eq!(told.get("content_base64"), None);
    let none = client.ask("resources/read", json!({"uri": "books://receipts/9"}));
    assert_eq!(none["error"]["code"], json!(-32602), "{none}");
    client.leave().expect("the end of the input is no error");
}
