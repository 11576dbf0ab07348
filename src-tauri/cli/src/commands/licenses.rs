//! `baton licenses`.

use baton_server::third_party_notices;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Prints the third-party notices, which need no data directory.
pub(crate) fn licenses(output: &Output) -> Result<Exit, Failure> {
    let Some(notices) = third_party_notices() else {
        let text =
            "this Baton was built without its third-party notices; build it with `cargo xtask run`";
        return Err(Failure::Usage(text.to_owned()));
    };
    output.file(notices)?;
    Ok(Exit::Done)
}
