//! Removes secrets from everything stored of an attempt, regardless of their source: named outputs,
//! file names, commands, an agent's messages. Its output was masked on the way to the disk.

use baton_model::evidence::UnverifiedReason;
use baton_model::run::Command;
use baton_secrets::{MASK, Secrets};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::report::Report;

/// `report` without secrets. Parts that cannot be masked are left out.
pub(crate) fn masked(secrets: &Secrets, report: Report) -> Report {
    let Report {
        command,
        artifact,
        evidence,
        facts,
    } = report;
    let command = match command {
        Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt,
        } => {
            // The outcome cannot be left out: the run depends on how the attempt ended.
            let outcome = masked_value(secrets, &outcome).unwrap_or(outcome);
            let unknown = || UnverifiedReason {
                reason: MASK.to_owned(),
                failed_criteria: None,
            };
            let doubt = doubt.map(|doubt| masked_value(secrets, &doubt).unwrap_or_else(unknown));
            Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact,
                taken,
                doubt,
            }
        }
        command => command,
    };
    let artifact = artifact.and_then(|artifact| masked_value(secrets, &artifact));
    let evidence = evidence.and_then(|evidence| masked_value(secrets, &evidence));
    Report {
        command,
        artifact,
        evidence,
        facts,
    }
}

/// The same value with a mask for each secret in its texts; `None` if the masked value cannot be
/// parsed again.
fn masked_value<T: Serialize + DeserializeOwned>(secrets: &Secrets, value: &T) -> Option<T> {
    let text = serde_json::to_vec(value).ok()?;
    serde_json::from_slice(&secrets.mask(&text)).ok()
}

#[cfg(test)]
mod tests {
    use baton_model::evidence::{AttemptEnding, CommandEnd, CommandRun};
    use baton_model::outcome::Failure;
    use baton_model::{Artifact, Attempt, Evidence, NodeId, Outcome};
    use uuid::Uuid;

    use super::*;

    const SECRET: &str = "a \"very\" secret\\value";

    #[test]
    fn mask_is_rejected_by_the_permission_model() {
        assert_eq!(MASK, baton_model::grant::HIDDEN_SECRET);
    }

    #[test]
    fn stored_values_contain_no_secrets() {
        let secrets = Secrets::from_environment([("DB_PASSWORD", SECRET)]);
        let outputs = [
            ("url".to_owned(), format!("db:{SECRET}")),
            (SECRET.to_owned(), "name".to_owned()),
        ];
        let artifact = Artifact {
            text: format!("I used {SECRET}."),
            outputs: outputs.into(),
            ..Artifact::default()
        };
        let command = CommandRun {
            command: format!("psql {SECRET}"),
            end: CommandEnd::Unknown,
        };
        let ending = AttemptEnding {
            output: SECRET.to_owned(),
            ..AttemptEnding::default()
        };
        let evidence = Evidence {
            commands: vec![command],
            ending: Some(ending),
            ..Evidence::default()
        };
        let report = Report {
            artifact: Some(artifact),
            evidence: Some(evidence),
            ..Report::plain(Command::SessionEnded {
                node: NodeId(Uuid::nil()),
                attempt: Attempt(1),
                outcome: Outcome::Failed {
                    failure: Failure::AgentError {
                        detail: SECRET.to_owned(),
                    },
                },
                artifact: None,
                taken: None,
                doubt: Some(UnverifiedReason {
                    reason: format!("no file {SECRET}"),
                    failed_criteria: None,
                }),
            })
        };
        let report = masked(&secrets, report);
        let artifact = report.artifact.expect("saved");
        assert_eq!(
            (artifact.text.as_str(), artifact.outputs["url"].as_str()),
            ("I used [secret].", "db:[secret]")
        );
        let evidence = report.evidence.expect("saved");
        assert_eq!(evidence.commands[0].command, "psql [secret]");
        assert!(
            !format!(
                "{:?}{:?}{artifact:?}{evidence:?}",
                report.command, report.facts
            )
            .contains("very")
        );
    }
}
