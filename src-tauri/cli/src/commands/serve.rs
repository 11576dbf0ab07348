//! `baton serve`: serves the interface over HTTP on the loopback address.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{fs, io};

use baton_api::{App, umask};
use baton_server::{Options, Server, ServerError};
use clap::Args;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;

/// Serve the interface to a browser on this machine
///
/// The server listens on a loopback address only, and every request needs the token in the printed
/// URL. Ctrl+C stops it. Sessions keep running, and the next start resumes their runs. Port and
/// token stay the same, so open pages reconnect.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 picks a free one. By default, the port of the last start
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen on: 127.0.0.1 or ::1
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "IP")]
    address: IpAddr,
    /// Open the browser
    #[arg(long)]
    open: bool,
    /// Replace the token, so that pages opened before lose access
    #[arg(long)]
    new_token: bool,
}

/// Executes `baton serve`. Returns on SIGINT, SIGTERM or SIGHUP.
pub(crate) fn serve(client: &Client<'_>, args: ServeArgs) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()
        .map_err(|source| Failure::System {
            doing: "start the server",
            source,
        })?;
    let served = runtime.block_on(serve_until_signal(client, &args));
    // Don't wait for operations that are still in progress.
    runtime.shutdown_background();
    served.map(|()| Exit::Done)
}

async fn serve_until_signal(client: &Client<'_>, args: &ServeArgs) -> Result<(), Failure> {
    let app = client.app()?;
    let server = bind(app, args).await?;
    announce(client, &server)?;
    let page = args
        .open
        .then(|| RedirectPage::write(app, &server))
        .transpose();
    let page = page.map_err(|source| Failure::System {
        doing: "write the page that opens the browser",
        source,
    })?;
    if let Some(page) = &page {
        open_browser(client, page);
    }
    server.serve(shutdown_signal()?).await;
    client.output.note("Server stopped. Sessions keep running.");
    Ok(())
}

/// Binds the requested port, or the port where open pages look for the server. If that is taken,
/// binds a free one.
async fn bind(app: &Arc<App>, args: &ServeArgs) -> Result<Server, Failure> {
    let options = Options {
        address: args.address,
        port: args.port.unwrap_or_default(),
        new_token: args.new_token,
    };
    if args.port.is_none()
        && let Some(port) = app.browser_port().map_err(ServerError::from)?
    {
        let former = Options { port, ..options };
        match Server::bind(Arc::clone(app), former).await {
            // Another program may stop later, so the next start tries this port again.
            Err(ServerError::Bind { .. }) => {
                return Ok(Server::bind(Arc::clone(app), options).await?);
            }
            bound => return Ok(bound?),
        }
    }
    let server = Server::bind(Arc::clone(app), options).await?;
    app.keep_browser_port(server.address().port())
        .map_err(ServerError::from)?;
    Ok(server)
}

fn announce(client: &Client<'_>, server: &Server) -> Result<(), Failure> {
    let url = server.url();
    if client.output.json {
        let data = json!({ "url": url, "port": server.address().port(), "token": server.token() });
        return client.output.json(&data);
    }
    client
        .output
        .note("Serving on this machine only. Press Ctrl+C to stop.");
    client.output.line(&url)
}

fn shutdown_signal() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let listen = |kind| {
        signal(kind).map_err(|source| Failure::System {
            doing: "listen for Ctrl+C",
            source,
        })
    };
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    let mut hang_up = listen(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
    })
}

/// An HTML file that redirects the browser to the server's URL, which contains the token. The URL
/// is not passed to the browser directly, because every user can read a process's arguments.
/// Deleted on drop.
struct RedirectPage(PathBuf);

impl RedirectPage {
    fn write(app: &App, server: &Server) -> io::Result<Self> {
        let path = app
            .data_directory()
            .join(format!("baton.open-{}.html", server.address().port()));
        // A killed server may have left a file. Remove it instead of writing to whatever is at this
        // path.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        let page = Self(path);
        let url = server.url();
        // The URL needs no escaping: it has no characters that are special in HTML.
        writeln!(
            file,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Baton</title>\
             <meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0; url={url}\">\
             <p><a href=\"{url}\">Open Baton</a></p></html>"
        )?;
        Ok(page)
    }
}

impl Drop for RedirectPage {
    fn drop(&mut self) {
        // The file may already be gone.
        let _ = fs::remove_file(&self.0);
    }
}

fn open_browser(client: &Client<'_>, page: &RedirectPage) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command
        .arg(&page.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Files that the browser downloads get the user's own umask.
    if let Err(error) = umask::with_original(|| command.spawn()) {
        client.output.warn(&format!(
            "couldn't open a browser with {program}: {error}. Open the URL above"
        ));
    }
}
