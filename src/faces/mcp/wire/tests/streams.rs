//! Bytes however they are cut, lines however long, streams however they fail.

use std::collections::VecDeque;

use super::*;

/// A line over the limit is answered, and the next one works.
#[test]
fn line_over_the_limit_is_answered() {
    let long = call(1, &format!(r#"{{"a":"{}"}}"#, "x".repeat(100_000)));
    let input = [INITIALIZE, &long, &call(2, "{}"), &long].join("\n");
    let (answers, ended) = served(Echo::default(), Cursor::new(input), 1_000);
    ended.expect("the end of the input is no error");
    let error = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32700, "message": "Parse error: a message has at most 1000 bytes"},
    });
    assert_eq!(answers.iter().filter(|answer| **answer == error).count(), 2);
    assert!(of_id(&answers, 2)["result"].is_object());
}

/// A character that lies across a chunk of 64 KiB arrives whole.
#[test]
fn character_across_a_chunk_arrives_whole() {
    let head = format!("{INITIALIZE}\n");
    let begin = call(1, "").replace("}}", "") + r#"{"a":""#;
    for shift in 0..3 {
        let fill = 64 * 1024 - 1 - shift - head.len() - begin.len();
        let text = format!("{}€", "x".repeat(fill));
        let input = format!("{head}{begin}{text}\"}}}}}}\n");
        assert_eq!(input.find('€'), Some(64 * 1024 - 1 - shift));
        let handler = Echo::default();
        let (_, ended) = served(handler.clone(), Cursor::new(input), LINE_BYTES_MAX);
        ended.expect("the end of the input is no error");
        assert_eq!(*locked(&handler.seen), [json!({"a": text})]);
    }
}

/// An input that gives one byte at a time.
struct Drip(VecDeque<u8>);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.0.pop_front(), buffer.first_mut()) {
            (Some(byte), Some(place)) => *place = byte,
            _ => return Ok(0),
        }
        Ok(1)
    }
}

/// Bytes that drip in, with carriage returns, blank lines, a byte-order mark and no last newline, are read as lines.
#[test]
fn any_cut_of_the_bytes_is_read() {
    let input = format!(
        "\u{feff}{INITIALIZE}\r\n\r\n\n{}\r\n{}",
        call(1, "{}"),
        call(2, "{}")
    );
    let (answers, ended) = served(
        Echo::default(),
        Drip(input.into_bytes().into()),
        LINE_BYTES_MAX,
    );
    ended.expect("the end of the input is no error");
    assert_eq!(ids(&answers), [json!("open"), json!(1), json!(2)]);
}

/// After a hundred unreadable lines in a row, each answered, the wire ends and says why.
#[test]
fn unreadable_flood_ends_the_wire() {
    let input = format!(
        "{INITIALIZE}\n{}{}\n",
        "log line\n".repeat(150),
        call(1, "{}")
    );
    let (answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
    assert_eq!(
        ended.err().map(|error| error.kind()),
        Some(io::ErrorKind::InvalidData)
    );
    assert_eq!(answers.len(), 101);
}

/// An output that nobody reads any more.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// When the output is closed the wire ends, though the input goes on.
#[test]
fn closed_output_ends_the_wire() {
    for line in [INITIALIZE, "{"] {
        let (input, mut client) = io::pipe().expect("a pipe");
        client
            .write_all(format!("{line}\n").as_bytes())
            .expect("the pipe takes a line");
        let wire = Wire::new(input, Gone, LINE_BYTES_MAX).expect("threads");
        let ended = block_on(serve(Echo::default(), wire));
        assert_eq!(
            ended.err().map(|error| error.kind()),
            Some(io::ErrorKind::BrokenPipe)
        );
        drop(client);
    }
}

/// An input that fails is told apart from one that ends.
#[test]
fn unreadable_input_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let (answers, ended) = served(Echo::default(), Broken, LINE_BYTES_MAX);
    assert_eq!(answers, Vec::<Value>::new());
    assert_eq!(
        ended.err().map(|error| error.kind()),
        Some(io::ErrorKind::PermissionDenied)
    );
}

/// A `receive` that is dropped at every await loses neither a message nor an answer.
#[test]
fn receive_may_be_dropped() {
    let pings: Vec<String> = (0..50)
        .map(|id| format!("{{\n{}\n", ask(id, "ping", "{}")))
        .collect();
    let output = Kept::default();
    let input = Drip(pings.concat().into_bytes().into());
    let mut wire = Wire::new(input, output.clone(), LINE_BYTES_MAX).expect("threads");
    let mut received = Vec::new();
    block_on(async {
        // The end of the input would be kept back until these are answered, which nobody does here.
        while received.len() < 50 {
            let message = tokio::select! {
                biased;
                message = wire.receive() => message,
                () = tokio::task::yield_now() => continue,
            };
            match message {
                Some(JsonRpcMessage::Request(request)) => received.push(request.id),
                other => panic!("a ping is a request: {other:?}"),
            }
        }
    });
    let expected: Vec<RequestId> = (0..50).map(RequestId::Number).collect();
    assert_eq!(received, expected);
    assert_eq!(output.lines().len(), 50);
}
