//! A server with an empty data directory, and a client that sends raw HTTP.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use baton_api::{App, Role};
use baton_server::{Limits, Options, Server};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Much longer than any test here should take.
const DEADLINE: Duration = Duration::from_secs(20);

pub(crate) struct TestServer {
    pub(crate) port: u16,
    pub(crate) token: String,
    app: Arc<App>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _data: TempDir,
}

pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) body: String,
    headers: Vec<(String, String)>,
}

impl HttpResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }
}

fn open() -> Result<(TempDir, Arc<App>)> {
    let data = tempfile::tempdir()?;
    // A keeper is only started when a session starts, which doesn't happen here.
    let app = App::open_with_keeper(
        data.path().to_owned(),
        Role::Server,
        std::env::current_exe()?,
    )?;
    Ok((data, app))
}

/// Tries to bind a server to `address`.
pub(crate) fn bind(address: IpAddr) -> Result<Server> {
    let (_data, app) = open()?;
    Ok(Runtime::new()?.block_on(Server::bind(
        app,
        Options {
            address,
            ..Options::default()
        },
    ))?)
}

impl TestServer {
    pub(crate) fn start() -> Result<Self> {
        Self::with_limits(Limits::default())
    }

    /// Starts a server with other limits for its clients.
    pub(crate) fn with_limits(limits: Limits) -> Result<Self> {
        let (data, app) = open()?;
        let mut served = Self {
            port: 0,
            token: String::new(),
            app,
            stop: None,
            thread: None,
            _data: data,
        };
        served.serve(Options::default(), limits)?;
        Ok(served)
    }

    /// Stops the server, and starts another one on the same data.
    pub(crate) fn restart(&mut self, options: Options) -> Result<()> {
        self.stop()?;
        self.serve(options, Limits::default())
    }

    fn serve(&mut self, options: Options, limits: Limits) -> Result<()> {
        let runtime = Runtime::new()?;
        let server = runtime.block_on(Server::bind(Arc::clone(&self.app), options))?;
        self.port = server.address().port();
        self.token = server.token().to_owned();
        let (stop, stopped) = oneshot::channel::<()>();
        self.stop = Some(stop);
        self.thread = Some(std::thread::spawn(move || {
            runtime.block_on(server.serve_with_limits(limits, async {
                // Dropping the sender also stops the server.
                drop(stopped.await);
            }));
        }));
        Ok(())
    }

    /// Stops the server and waits until it has ended.
    pub(crate) fn stop(&mut self) -> Result<()> {
        drop(self.stop.take());
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        thread.join().map_err(|_| "the server panicked")?;
        Ok(())
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Calls an operation the way a well-behaved client does.
    pub(crate) fn call(&self, operation: &str, input: &str) -> Result<HttpResponse> {
        let headers = format!("host: {}\r\ncontent-type: application/json", self.host());
        self.with_token(
            &format!("POST /api/operations/{operation}"),
            &headers,
            input,
        )
    }

    /// Sends a request with the token and a content length.
    pub(crate) fn with_token(
        &self,
        target: &str,
        headers: &str,
        body: &str,
    ) -> Result<HttpResponse> {
        let headers = format!(
            "{headers}\r\nauthorization: Bearer {}\r\ncontent-length: {}",
            self.token,
            body.len()
        );
        self.send(target, &headers, body)
    }

    /// Sends a request exactly as given.
    pub(crate) fn send(&self, target: &str, headers: &str, body: &str) -> Result<HttpResponse> {
        let mut reader =
            BufReader::new(self.open(target, &format!("{headers}\r\nconnection: close"), body)?);
        let (status, headers) = head(&mut reader)?;
        let mut body = String::new();
        // A server that rejects a large body may reset the connection after its response.
        reader
            .read_to_string(&mut body)
            .or_else(|error| if body.is_empty() { Err(error) } else { Ok(0) })?;
        Ok(HttpResponse {
            status,
            body,
            headers,
        })
    }

    /// Opens the event stream, optionally with a `Last-Event-ID`.
    pub(crate) fn events(&self, last: Option<&str>) -> Result<Events> {
        self.stream("/api/events", &self.token, last)
    }

    /// Opens the event stream at `path`.
    pub(crate) fn stream(&self, path: &str, token: &str, last: Option<&str>) -> Result<Events> {
        let last = last
            .map(|id| format!("\r\nlast-event-id: {id}"))
            .unwrap_or_default();
        let headers = format!(
            "host: {}\r\nauthorization: Bearer {token}{last}",
            self.host(),
        );
        let mut reader = BufReader::new(self.open(&format!("GET {path}"), &headers, "")?);
        let (status, headers) = head(&mut reader)?;
        assert_eq!(status, 200);
        assert!(
            headers.contains(&("content-type".to_owned(), "text/event-stream".to_owned())),
            "{headers:?}"
        );
        Ok(Events { reader })
    }

    /// Opens a connection and sends `words` on it.
    pub(crate) fn connect(&self, words: &str) -> Result<TcpStream> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(DEADLINE))?;
        stream.write_all(words.as_bytes())?;
        Ok(stream)
    }

    fn open(&self, target: &str, headers: &str, body: &str) -> Result<TcpStream> {
        let mut stream = self.connect("")?;
        stream.write_all(format!("{target} HTTP/1.1\r\n{headers}\r\n\r\n").as_bytes())?;
        // The server may respond and close before it has read everything.
        drop(stream.write_all(body.as_bytes()));
        Ok(stream)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop());
        self.app.shut_down();
    }
}

fn head(reader: &mut impl BufRead) -> Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            return Ok((status, headers));
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
}

/// An open event stream.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
}

/// A message of an event stream.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: u64,
    /// The name; empty if it has none.
    pub(crate) event: String,
    pub(crate) data: String,
}

impl Events {
    /// Waits for the next message. Fails on a timeout or at the end of the stream.
    pub(crate) fn next(&mut self) -> Result<Message> {
        let (mut id, mut event, mut data) = (None, String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line)? == 0 {
                return Err("the stream has ended".into());
            }
            // Lines of the chunked encoding contain no colon and are skipped, like comments.
            match (line.trim_end().split_once(": "), id) {
                (Some(("id", value)), _) => id = Some(value.parse()?),
                (Some(("event", value)), _) => event = value.to_owned(),
                (Some(("data", value)), _) => data = value.to_owned(),
                (None, Some(id)) if line.trim_end().is_empty() => {
                    return Ok(Message { id, event, data });
                }
                _ => {}
            }
        }
    }
}
