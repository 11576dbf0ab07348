//! Runs the scripted model as a server: prints its base URL, and stops at the end of standard
//! input. Each input line is answered with one line: a JSON array of all requests so far.

use std::io::{self, Write};

use baton_tests::model_api::{ModelApi, Seen};

fn main() -> io::Result<()> {
    let api = ModelApi::start()?;
    writeln!(io::stdout(), "{}", api.base_url(""))?;
    for line in io::stdin().lines() {
        line?;
        let sent: Vec<String> = api
            .seen()
            .into_iter()
            .map(|Seen { sent, .. }| sent)
            .collect();
        writeln!(io::stdout(), "{}", serde_json::to_string(&sent)?)?;
    }
    Ok(())
}
