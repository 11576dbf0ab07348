//! Serves the scripted model by hand: prints the base URL and runs until its standard input ends.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let api = baton_tests::model_api::ModelApi::start()?;
    writeln!(io::stdout(), "{}", api.base_url(""))?;
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
