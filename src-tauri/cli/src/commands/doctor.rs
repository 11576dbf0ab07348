//! `baton doctor`.

use baton_api::wire::*;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;

/// Looks at what Baton needs on this machine and says what to do about what is missing.
///
/// Fails when something is missing without which nothing runs; a doubt is no failure.
pub(crate) fn doctor(client: &Client<'_>) -> Result<Exit, Failure> {
    let view: DoctorView = client.ask("look at this machine", "doctor", &Nothing {})?;
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
            if let Some(mend) = &check.mend {
                client
                    .output
                    .line(&format!("      {}", client.output.paint(mend, Tone::Faint)))?;
            }
        }
    }
    Ok(exit)
}

fn line(client: &Client<'_>, check: &Check) -> String {
    let (mark, tone) = match check.verdict {
        CheckVerdict::Passed => ("ok", Tone::Good),
        CheckVerdict::Warning => ("?", Tone::Attention),
        CheckVerdict::Failed => ("no", Tone::Bad),
    };
    format!(
        "  {} {}",
        client.output.paint(&format!("{mark:<2}"), tone),
        check.sentence
    )
}
