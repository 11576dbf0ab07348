//! `baton licenses`: prints the third-party notices.

use baton_server::third_party_notices;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Prints the third-party notices. Needs no data directory.
pub(crate) fn licenses(output: &Output) -> Result<Exit, Failure> {
    let Some(notices) = third_party_notices() else {
        let text =
            "this build has no third-party notices. Build with `cargo xtask run` to include them";
        return Err(Failure::Usage(text.to_owned()));
    };
    output.file(notices)?;
    Ok(Exit::Done)
}
