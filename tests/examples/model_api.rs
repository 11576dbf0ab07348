//! Serves the scripted model by hand: prints the base URL and runs until its standard input ends. A line on the
//! standard input is answered with one line: the requests so far, as a JSON array of what was sent.

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
