//! The server over standard input and output.

use std::io;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite,
    AsyncWriteExt as _, BufReader,
};
use tokio::sync::mpsc;

use crate::message_limits::{self, MAX_BYTES};
use crate::server::McpServer;

/// How many bytes may be on their way between the parts of this module.
const PIPE_BYTES: usize = 64 * 1024;
/// How many messages may wait to be written.
const WAITING_MESSAGES: usize = 16;

/// Why the server over standard input ended early. Messages complete "couldn't …".
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The client's first messages were not what the protocol asks for.
    #[error("speak MCP with the client: {0}")]
    Start(#[from] Box<ServerInitializeError>),
    /// A bug: the server stopped in the middle.
    #[error("serve the client: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

/// Serves one client over standard input and output, until the client closes its end.
///
/// # Errors
///
/// The client doesn't speak MCP. A client that leaves before its first message is no error.
pub async fn serve_stdio(server: McpServer) -> Result<(), StdioError> {
    let (to_server, from_client) = tokio::io::duplex(PIPE_BYTES);
    let (to_client, from_server) = tokio::io::duplex(PIPE_BYTES);
    let (messages, written) = mpsc::channel(WAITING_MESSAGES);
    let refused = messages.clone();
    let reader = tokio::spawn(async move {
        let input = BufReader::new(tokio::io::stdin());
        // The end of the input, also by an error, ends the server.
        let _ = pass_on(input, to_server, &refused).await;
    });
    tokio::spawn(async move {
        let _ = collect(BufReader::new(from_server), &messages).await;
    });
    let writer = tokio::spawn(write_messages(written));
    let served = match server.serve((from_client, to_client)).await {
        Ok(running) => running.waiting().await.map(drop).map_err(StdioError::from),
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(Box::new(error).into()),
    };
    // The client may still send. The server has closed its end, so the last message is on its way.
    reader.abort();
    writer.await?;
    served
}

/// Passes messages on to the server, except those that are beyond the limits.
async fn pass_on(
    mut input: impl AsyncBufRead + Unpin,
    mut server: impl AsyncWrite + Unpin,
    refused: &mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    while let Some(line) = next_message(&mut input).await? {
        match message_limits::refuse(&line) {
            None => server.write_all(&line).await?,
            Some(response) => {
                let mut text = response.to_string().into_bytes();
                text.push(b'\n');
                if refused.send(text).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The next line with its end. Of one that is too long, only the beginning; the rest is skipped.
async fn next_message(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    (&mut *input)
        .take(limit)
        .read_until(b'\n', &mut line)
        .await?;
    if line.is_empty() {
        return Ok(None);
    }
    let mut is_complete = line.last() == Some(&b'\n');
    while !is_complete {
        let rest = input.fill_buf().await?;
        if rest.is_empty() {
            break;
        }
        let end = rest.iter().position(|byte| *byte == b'\n');
        let read = end.map_or(rest.len(), |at| at + 1);
        is_complete = end.is_some();
        input.consume(read);
    }
    Ok(Some(line))
}

/// Collects the server's messages, one per line.
async fn collect(
    mut server: BufReader<impl AsyncRead + Unpin>,
    messages: &mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        server.read_until(b'\n', &mut line).await?;
        if line.is_empty() || messages.send(line).await.is_err() {
            return Ok(());
        }
    }
}

/// Writes messages to standard output until there are no more senders, or nobody reads.
async fn write_messages(mut messages: mpsc::Receiver<Vec<u8>>) {
    let mut output = tokio::io::stdout();
    while let Some(message) = messages.recv().await {
        if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
