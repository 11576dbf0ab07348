//! A client that keeps its connection, so that only the answer is measured.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
    token: String,
}

impl Connection {
    pub(crate) fn open(port: u16, token: &str) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        Self {
            stream: BufReader::new(stream),
            port,
            token: token.to_owned(),
        }
    }

    /// Sends a request without a body.
    pub(crate) fn ask(&mut self, path: &str, accept: &str) {
        let (port, token) = (self.port, &self.token);
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\naccept: {accept}\r\n\r\n"
        );
        let stream = self.stream.get_mut();
        stream.write_all(head.as_bytes()).expect("it reads");
    }

    /// Reads a page, and returns its body.
    pub(crate) fn get(&mut self, path: &str) -> Vec<u8> {
        self.ask(path, "application/json");
        let (mut length, mut status) = (0, String::new());
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            if status.is_empty() {
                status.clone_from(&line);
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        let text = String::from_utf8_lossy(&body);
        assert!(status.contains(" 200 ") && length > 0, "{status} {text}");
        body
    }

    /// The next line without its end. Empty at the end of a head.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }
}
