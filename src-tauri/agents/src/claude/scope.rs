//! Which tool calls are allowed, refused, or asked (product A8, E9).
//!
//! Claude decides on its own that some calls are harmless (reading, `git status`) and asks for the others. A
//! node with a list of tools is held to it even for harmless calls and for those that the person's settings
//! allow: a hook announces every call, see [`super::reply::initialize`].

use baton_model::plan::Autonomy;

use crate::task::Task;

/// The rules of one session.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    autonomy: Autonomy,
    tools: Vec<String>,
}

/// What the rules say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ruling {
    Allow,
    Ask,
    Deny(String),
}

/// The tool with which the agent asks a question of its own. Nobody can be asked that way.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// Whether tool calls of this task have to be announced before they run.
pub(super) fn is_guarded(task: &Task) -> bool {
    !task.tools_required.is_empty() && task.autonomy != Autonomy::Free
}

impl Scope {
    pub(super) fn new(task: &Task) -> Self {
        Self { autonomy: task.autonomy, tools: task.tools_required.clone() }
    }

    /// What to say when the agent asks for leave to use `tool`.
    pub(super) fn on_request(&self, tool: &str) -> Ruling {
        match self.autonomy {
            Autonomy::AskAll => Ruling::Ask,
            _ if tool == QUESTION_TOOL && !self.lists(tool) => {
                Ruling::Deny("Nobody can answer here. Decide yourself and say what you decided.".to_owned())
            }
            _ if self.tools.is_empty() || self.lists(tool) => Ruling::Allow,
            Autonomy::AskNew | Autonomy::AskGuarded => Ruling::Ask,
            Autonomy::RefuseGuarded => Ruling::Deny(self.refusal(tool)),
            Autonomy::Free => Ruling::Allow,
        }
    }

    /// What to say when a call of `tool` is announced; [`Ruling::Allow`] leaves it to the usual rules.
    pub(super) fn on_announcement(&self, tool: &str) -> Ruling {
        match self.autonomy {
            _ if self.tools.is_empty() || self.lists(tool) => Ruling::Allow,
            Autonomy::AskAll | Autonomy::AskNew | Autonomy::AskGuarded => Ruling::Ask,
            Autonomy::RefuseGuarded => Ruling::Deny(self.refusal(tool)),
            Autonomy::Free => Ruling::Allow,
        }
    }

    fn lists(&self, tool: &str) -> bool {
        self.tools.iter().any(|listed| listed == tool)
    }

    fn refusal(&self, tool: &str) -> String {
        format!("Tool {tool} is not available in this plan. Only: {}", self.tools.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruling(level: u8, tools: &[&str], tool: &str) -> (Ruling, Ruling) {
        let autonomy = Autonomy::try_from(level).expect("a level from 0 to 4");
        let scope = Scope { autonomy, tools: tools.iter().map(|&tool| tool.to_owned()).collect() };
        (scope.on_request(tool), scope.on_announcement(tool))
    }

    #[test]
    fn the_level_and_the_list_decide() {
        use Ruling::{Allow, Ask};
        let refused = || Ruling::Deny("Tool Bash is not available in this plan. Only: Read, Write".to_owned());
        let listed: &[&str] = &["Read", "Write"];
        for (level, tools, tool, on_request, on_announcement) in [
            (0, &[][..], "Bash", Ask, Allow),
            (0, listed, "Write", Ask, Allow),
            (0, listed, "Bash", Ask, Ask),
            (1, &[], "Bash", Allow, Allow),
            (1, listed, "Write", Allow, Allow),
            (1, listed, "Bash", Ask, Ask),
            (2, listed, "Bash", Ask, Ask),
            (3, &[], "Bash", Allow, Allow),
            (3, listed, "Bash", refused(), refused()),
            (3, listed, "Write", Allow, Allow),
            (4, listed, "Bash", Allow, Allow),
            // Names count exactly: a listed `Bash` does not let `BashOutput` through, nor the other way round.
            (1, &["BashOutput"], "Bash", Ask, Ask),
        ] {
            assert_eq!(ruling(level, tools, tool), (on_request, on_announcement), "{level} {tools:?} {tool}");
        }
    }

    #[test]
    fn a_question_is_refused_unless_a_person_is_asked_anyway() {
        assert!(matches!(ruling(1, &[], QUESTION_TOOL).0, Ruling::Deny(_)));
        assert_eq!(ruling(0, &[], QUESTION_TOOL).0, Ruling::Ask);
    }
}
