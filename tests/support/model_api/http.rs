//! The minimal HTTP/1.1 that API clients need: one request per connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request with its whole body.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) body: Value,
}

impl Request {
    pub(super) fn read(stream: &mut TcpStream) -> io::Result<Self> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut length = 0;
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "expect" => stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        Ok(Self {
            path,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        })
    }
}

/// Sends a JSON response and closes the connection.
pub(super) fn write_json(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&str, &str)],
    body: &Value,
) -> io::Result<()> {
    let body = body.to_string();
    let mut head = format!(
        "HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head += "Connection: close\r\n\r\n";
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// Starts a stream of server-sent events that ends with the connection.
pub(super) fn begin_events(stream: &mut TcpStream, headers: &[(&str, &str)]) -> io::Result<()> {
    let mut head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
            .to_owned();
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head += "Connection: close\r\n\r\n";
    stream.write_all(head.as_bytes())
}

/// Sends an event named after the `type` of its data.
pub(super) fn write_event(stream: &mut TcpStream, data: &Value) -> io::Result<()> {
    let name = data["type"].as_str().unwrap_or("message");
    stream.write_all(format!("event: {name}\ndata: {data}\n\n").as_bytes())?;
    stream.flush()
}

/// Sends an unnamed event.
pub(super) fn write_data(stream: &mut TcpStream, data: &Value) -> io::Result<()> {
    stream.write_all(format!("data: {data}\n\n").as_bytes())?;
    stream.flush()
}

/// Sends the end marker of a stream of unnamed events.
pub(super) fn write_end(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"data: [DONE]\n\n")?;
    stream.flush()
}
