//! Counts the results of a session's tool calls: how many were denied, and whether any that could
//! change something ran.

use std::collections::{HashMap, HashSet};

use baton_agents::SessionEvent;
use baton_agents::tool_name::is_read_only;

/// The tool calls of a session so far.
#[derive(Default)]
pub(crate) struct CallTally {
    /// Whether each started call could change anything, by call id.
    could_work: HashMap<String, bool>,
    refused: HashSet<String>,
    /// Whether a call that could change something ran, with or without success.
    worked: bool,
}

impl CallTally {
    pub(crate) fn observe(&mut self, events: &[SessionEvent]) {
        for event in events {
            match event {
                SessionEvent::ToolStarted { id, name, .. } => {
                    self.could_work.insert(id.clone(), !is_read_only(name));
                }
                SessionEvent::ToolEnded { id, result } if result.denied => {
                    self.refused.insert(id.clone());
                }
                SessionEvent::ToolEnded { id, .. } => {
                    self.worked |= self.could_work.get(id) == Some(&true)
                }
                SessionEvent::OutsideScope {
                    call,
                    refused: true,
                    ..
                } => {
                    self.refused.insert(call.clone());
                }
                _ => {}
            }
        }
    }

    /// How many calls were denied.
    pub(crate) fn refused(&self) -> u32 {
        u32::try_from(self.refused.len()).unwrap_or(u32::MAX)
    }

    /// Whether calls that could have done the work were denied, and none ran.
    pub(crate) fn was_all_refused(&self) -> bool {
        let mattered = |call: &String| self.could_work.get(call).copied().unwrap_or(true);
        !self.worked && self.refused.iter().any(mattered)
    }
}

#[cfg(test)]
mod tests {
    use baton_agents::event::ToolResult;

    use super::*;

    /// A tool call that was `denied` or ran.
    fn call(id: &str, tool: &str, denied: bool) -> [SessionEvent; 2] {
        let result = ToolResult {
            ok: !denied,
            denied,
            text: String::new(),
            styles: Vec::new(),
            truncated_bytes: 0,
            end_unknown: false,
            diff: None,
            images: Vec::new(),
            exit_code: None,
        };
        let (name, input) = (tool.to_owned(), serde_json::Value::Null);
        [
            SessionEvent::ToolStarted {
                id: id.to_owned(),
                name,
                summary: String::new(),
                input,
            },
            SessionEvent::ToolEnded {
                id: id.to_owned(),
                result,
            },
        ]
    }

    #[test]
    fn all_refused_requires_no_successful_mutating_call() {
        for (calls, refused, all) in [
            (vec![], 0, false),
            (vec![("Read", false)], 0, false),
            (vec![("Write", true)], 1, true),
            (
                vec![("Read", false), ("Write", true), ("Bash", true)],
                2,
                true,
            ),
            (vec![("Write", true), ("Write", false)], 1, false),
            (vec![("Read", true), ("mcp__a__b", false)], 1, false),
            (vec![("Grep", true)], 1, false),
        ] {
            let mut tally = CallTally::default();
            for (number, (tool, denied)) in calls.iter().enumerate() {
                tally.observe(&call(&number.to_string(), tool, *denied));
            }
            assert_eq!(
                (tally.refused(), tally.was_all_refused()),
                (refused, all),
                "{calls:?}"
            );
        }
    }

    #[test]
    fn call_refused_twice_counts_once() {
        let mut tally = CallTally::default();
        let note = "Tool Bash is not available in this plan.".to_owned();
        let what = "Bash: ls".to_owned();
        tally.observe(&[SessionEvent::OutsideScope {
            call: "1".to_owned(),
            what,
            note,
            refused: true,
        }]);
        tally.observe(&call("1", "Bash", true));
        assert_eq!((tally.refused(), tally.was_all_refused()), (1, true));
    }
}
