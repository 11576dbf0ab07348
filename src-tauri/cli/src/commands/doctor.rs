//! `baton doctor`: checks the machine and the data.

use baton_api::wire::*;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;

/// Prints the results of all checks, with a fix for each problem.
///
/// Exits with 1 if a check failed; warnings don't count.
pub(crate) fn doctor(client: &Client<'_>) -> Result<Exit, Failure> {
    let view: DoctorView = client.ask("check this machine", "doctor", &Nothing {})?;
    let failed = view
        .sections
        .iter()
        .flat_map(|section| &section.checks)
        .any(|one| one.verdict == CheckVerdict::Failed);
    let exit = if failed { Exit::Failed } else { Exit::Done };
    if client.output.json {
        client.output.json(&view)?;
        return Ok(exit);
    }
    for section in &view.sections {
        client
            .output
            .line(&client.output.paint(&section.title, Tone::Strong))?;
        for check in &section.checks {
            client.output.line(&line(client, check))?;
            if let Some(fix) = &check.mend {
                client
                    .output
                    .line(&format!("      {}", client.output.paint(fix, Tone::Faint)))?;
            }
        }
    }
    Ok(exit)
}

fn line(client: &Client<'_>, check: &Check) -> String {
    let (mark, tone) = match check.verdict {
        CheckVerdict::Passed => ("✓", Tone::Good),
        CheckVerdict::Warning => ("!", Tone::Attention),
        CheckVerdict::Failed => ("✗", Tone::Bad),
    };
    format!("  {} {}", client.output.paint(mark, tone), check.sentence)
}
