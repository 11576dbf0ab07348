//! Which tool calls of a session are allowed, refused, or asked (product A8, E9). The same for all agents.
//!
//! Two rules that know nothing of each other, the first before the second:
//!
//! - **Guarded tools** are named by a person, in the plan or in the settings. What becomes of them follows from the
//!   autonomy: 0 and 2 ask; 1 asks unless the node's list, which was approved, names the tool; 3 refuses unless it
//!   does; 4 lets them through.
//! - **The node's list**, where it has one, binds as the mode says: enforce refuses what it does not name, log only
//!   writes it down, off does nothing. Autonomy 0 asks a person instead of refusing, 4 only writes it down.
//!
//! Leave that a person gave ([`Grant`]) makes a question of a refusal. The answer is the run's: it holds what is allowed
//! by now, so that leave that was taken back ends at once, also for a session that lives. A shell is never listed by anything but its name.
//! Names count exactly, save that the tools of different agents that do the same count as one
//! ([`tool_name`](crate::tool_name)): a plan need not be written anew for another agent.
//!
//! Adapters put each call to [`ToolScope::on_request`] when the agent asks for leave, and to
//! [`ToolScope::on_announcement`] when it would run the call by its own rules. This module asks and refuses
//! nobody itself, and whether an agent tells of its calls at all is for [`Adapter::reach`](crate::Adapter::reach) to say.

use baton_model::Grant;
use baton_model::grant::is_covered;
use baton_model::plan::{Autonomy, ToolScopeMode};
use serde_json::Value;

use crate::event::SessionEvent;
use crate::json_text::summary;
use crate::tool_name::{command_of, same_tool};

/// The rules of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolScope {
    /// How strictly the list binds.
    pub mode: ToolScopeMode,
    /// The tools that the node may use; empty: no list was given.
    pub tools: Vec<String>,
    /// The tools that a person wants to decide about.
    pub guarded: Vec<String>,
    /// How much is asked of a person.
    pub autonomy: Autonomy,
    /// What a person allowed before the session began.
    pub granted: Vec<Grant>,
}

/// What the rules say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Let it run; on an announcement: leave it to the agent's own rules.
    Allow,
    /// Ask a person.
    Ask,
    /// Do not run it, and tell the agent this.
    Deny(String),
}

/// How far an agent can be held to a [`ToolScope`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// The agent asks before tools run, and waits for the answer of a person.
    pub asks: bool,
    /// The node's list binds every call, also those that the agent would run by its own rules.
    pub lists: bool,
    /// What that means, for a person: one or two sentences.
    pub sentence: &'static str,
}

impl Reach {
    /// An agent that is told and trusted, and nothing more.
    pub const NONE: Self = Self {
        asks: false,
        lists: false,
        sentence: "Baton cannot see or stop this agent's tool calls: its list of tools is only part of the prompt.",
    };
}

impl ToolScope {
    /// Whether calls that the agent would run by its own rules have to be announced, because a rule may stop or
    /// note them.
    #[must_use]
    pub fn wants_announcements(&self) -> bool {
        let list_binds = !self.tools.is_empty() && self.mode != ToolScopeMode::Off;
        let guards_bind = !self.guarded.is_empty() && self.autonomy != Autonomy::Free;
        list_binds || guards_bind
    }

    /// What to say when the agent asks for leave to use `tool` with `input`.
    #[must_use]
    pub fn on_request(&self, tool: &str, input: &Value) -> Ruling {
        match self.rule(tool, input) {
            Ruling::Allow if self.autonomy == Autonomy::AskAll => Ruling::Ask,
            ruling => ruling,
        }
    }

    /// What to say when a call is announced that the agent would perhaps run without asking.
    #[must_use]
    pub fn on_announcement(&self, tool: &str, input: &Value) -> Ruling {
        self.rule(tool, input)
    }

    /// The sentence for the record when a call runs that [`ToolScopeMode::Enforce`] would have refused.
    #[must_use]
    pub fn would_block(&self, tool: &str, input: &Value) -> Option<String> {
        let noted = match self.mode {
            ToolScopeMode::Off => false,
            ToolScopeMode::Log => true,
            ToolScopeMode::Enforce => self.autonomy == Autonomy::Free,
        };
        let blocked = noted && self.is_outside(tool) && !self.is_granted(tool, input);
        blocked.then(|| format!("would have blocked: {}", self.refusal(tool)))
    }

    /// What the record says of the call `call` that was announced: that it is refused, or would have been.
    #[must_use]
    pub fn outside(&self, call: &str, tool: &str, input: &Value) -> Option<SessionEvent> {
        match self.rule(tool, input) {
            Ruling::Deny(note) => Some(Self::refused(call, tool, input, &note)),
            Ruling::Allow | Ruling::Ask => self.would_have(call, told(tool, input), tool, input),
        }
    }

    /// What the record says of the call `call`, in words `what`, that began without asking Baton: that the list would have blocked it. Whether it
    /// is blocked is for the agent's own means to say.
    #[must_use]
    pub fn would_have(&self, call: &str, what: String, tool: &str, input: &Value) -> Option<SessionEvent> {
        let note = self.would_block(tool, input)?;
        Some(SessionEvent::OutsideScope { call: call.to_owned(), what, note, refused: false })
    }

    /// What the record says of the call `call` that was refused because of `reason`.
    #[must_use]
    pub fn refused(call: &str, tool: &str, input: &Value, reason: &str) -> SessionEvent {
        SessionEvent::OutsideScope {
            call: call.to_owned(),
            what: told(tool, input),
            note: reason.to_owned(),
            refused: true,
        }
    }

    /// Whether the node's list names `tool`.
    #[must_use]
    pub fn lists(&self, tool: &str) -> bool {
        self.tools.iter().any(|listed| same_tool(listed, tool))
    }

    fn rule(&self, tool: &str, input: &Value) -> Ruling {
        match self.guard(tool).unwrap_or_else(|| self.list(tool)) {
            Ruling::Deny(_) if self.is_granted(tool, input) => Ruling::Ask,
            ruling => ruling,
        }
    }

    /// What the guard says; `None` when it has nothing to say.
    fn guard(&self, tool: &str) -> Option<Ruling> {
        if !self.guarded.iter().any(|guarded| same_tool(guarded, tool)) {
            return None;
        }
        match self.autonomy {
            Autonomy::AskAll | Autonomy::AskGuarded => Some(Ruling::Ask),
            Autonomy::AskNew => (!self.lists(tool)).then_some(Ruling::Ask),
            Autonomy::RefuseGuarded => (!self.lists(tool)).then(|| Ruling::Deny(self.refusal(tool))),
            Autonomy::Free => None,
        }
    }

    fn list(&self, tool: &str) -> Ruling {
        match (self.mode, self.autonomy) {
            _ if !self.is_outside(tool) => Ruling::Allow,
            (ToolScopeMode::Off | ToolScopeMode::Log, _) | (_, Autonomy::Free) => Ruling::Allow,
            (ToolScopeMode::Enforce, Autonomy::AskAll) => Ruling::Ask,
            (ToolScopeMode::Enforce, _) => Ruling::Deny(self.refusal(tool)),
        }
    }

    fn is_outside(&self, tool: &str) -> bool {
        !self.tools.is_empty() && !self.lists(tool)
    }

    fn is_granted(&self, tool: &str, input: &Value) -> bool {
        let command = command_of(tool, input);
        is_covered(self.granted.iter(), tool, command.as_deref())
    }

    fn refusal(&self, tool: &str) -> String {
        match &self.tools[..] {
            [] => format!("Tool {tool} is not available in this plan. It is guarded, and nobody is asked."),
            tools => format!("Tool {tool} is not available in this plan. Only: {}", tools.join(", ")),
        }
    }
}

/// The tool and what it works on, on one line.
fn told(tool: &str, input: &Value) -> String {
    match summary(input) {
        line if line.is_empty() => tool.to_owned(),
        line => format!("{tool}: {line}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LISTED: &[&str] = &["Read", "Write"];
    const SENTENCE: &str = "Tool Bash is not available in this plan. Only: Read, Write";

    fn words(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn scope(mode: ToolScopeMode, level: u8, tools: &[&str], guarded: &[&str]) -> ToolScope {
        let autonomy = Autonomy::try_from(level).expect("a level from 0 to 4");
        ToolScope { mode, tools: words(tools), guarded: words(guarded), autonomy, granted: Vec::new() }
    }

    #[test]
    fn the_mode_says_how_the_list_binds() {
        use Ruling::{Allow, Ask};
        use ToolScopeMode::{Enforce, Log, Off};
        let refused = || Ruling::Deny(SENTENCE.to_owned());
        for (mode, level, tools, tool, on_request, on_announcement, noted) in [
            (Enforce, 0, &[][..], "Bash", Ask, Allow, false),
            (Enforce, 0, LISTED, "Write", Ask, Allow, false),
            (Enforce, 0, LISTED, "Bash", Ask, Ask, false),
            (Enforce, 1, &[], "Bash", Allow, Allow, false),
            (Enforce, 1, LISTED, "Write", Allow, Allow, false),
            (Enforce, 1, LISTED, "Bash", refused(), refused(), false),
            (Enforce, 2, LISTED, "Bash", refused(), refused(), false),
            (Enforce, 3, LISTED, "Bash", refused(), refused(), false),
            // Nobody is asked and nothing stops at 4, but it is written down.
            (Enforce, 4, LISTED, "Bash", Allow, Allow, true),
            (Log, 0, LISTED, "Bash", Ask, Allow, true),
            (Log, 1, LISTED, "Bash", Allow, Allow, true),
            (Log, 1, LISTED, "Read", Allow, Allow, false),
            (Log, 3, LISTED, "Bash", Allow, Allow, true),
            (Log, 3, &[], "Bash", Allow, Allow, false),
            (Off, 1, LISTED, "Bash", Allow, Allow, false),
            (Off, 3, LISTED, "Bash", Allow, Allow, false),
        ] {
            let scope = scope(mode, level, tools, &[]);
            let case = format!("{mode:?} {level} {tools:?} {tool}");
            assert_eq!(scope.on_request(tool, &json!({})), on_request, "{case}");
            assert_eq!(scope.on_announcement(tool, &json!({})), on_announcement, "{case}");
            let note = scope.would_block(tool, &json!({}));
            assert_eq!(note, noted.then(|| format!("would have blocked: {SENTENCE}")), "{case}");
        }
    }

    #[test]
    fn the_level_says_who_decides_about_guarded_tools() {
        use Ruling::{Allow, Ask};
        let refused = || Ruling::Deny(SENTENCE.to_owned());
        for (level, tools, expected) in [
            (0, LISTED, Ask),
            (0, &["Bash"][..], Ask),
            (1, LISTED, Ask),
            (1, &["Bash"], Allow),
            (2, LISTED, Ask),
            (2, &["Bash"], Ask),
            (3, LISTED, refused()),
            (3, &["Bash"], Allow),
            (4, LISTED, Allow),
        ] {
            for mode in [ToolScopeMode::Off, ToolScopeMode::Log, ToolScopeMode::Enforce] {
                let scope = scope(mode, level, tools, &["Bash"]);
                assert_eq!(scope.on_announcement("Bash", &json!({})), expected, "{mode:?} {level} {tools:?}");
            }
        }
        let without_list = scope(ToolScopeMode::Enforce, 3, &[], &["Bash"]).on_request("Bash", &json!({}));
        assert!(matches!(without_list, Ruling::Deny(said) if said.contains("guarded")));
    }

    #[test]
    fn names_count_exactly() {
        let scope = scope(ToolScopeMode::Enforce, 1, &["BashOutput", "Read, Write"], &[]);
        for tool in ["Bash", "Read", "bashoutput"] {
            assert!(matches!(scope.on_announcement(tool, &json!({})), Ruling::Deny(_)), "{tool}");
        }
    }

    #[test]
    fn leave_makes_a_question_of_a_refusal() {
        let mut scope = scope(ToolScopeMode::Enforce, 3, LISTED, &["Bash"]);
        scope.granted.push(Grant::exact("Bash", Some("ls")));
        let (one, other) = (json!({"command": "ls"}), json!({"command": "ls -l"}));
        assert_eq!(scope.on_announcement("Bash", &one), Ruling::Ask, "the run knows whether it still holds");
        assert_eq!(scope.outside("t", "Bash", &one), None);
        let refused = Ruling::Deny(SENTENCE.to_owned());
        assert_eq!(scope.on_announcement("Bash", &other), refused, "leave is for the command, to the letter");
    }

    #[test]
    fn the_record_says_what_was_refused_and_what_would_have_been() {
        let input = json!({"command": "cargo test"});
        for (mode, level, said) in [
            (ToolScopeMode::Off, 1, None),
            (ToolScopeMode::Log, 1, Some((format!("would have blocked: {SENTENCE}"), false))),
            (ToolScopeMode::Enforce, 1, Some((SENTENCE.to_owned(), true))),
            (ToolScopeMode::Enforce, 4, Some((format!("would have blocked: {SENTENCE}"), false))),
        ] {
            let expected = said.map(|(note, refused)| {
                let (call, what) = ("t".to_owned(), "Bash: cargo test".to_owned());
                SessionEvent::OutsideScope { call, what, note, refused }
            });
            assert_eq!(scope(mode, level, LISTED, &[]).outside("t", "Bash", &input), expected, "{mode:?} {level}");
            assert_eq!(scope(mode, level, LISTED, &[]).outside("t", "Read", &input), None);
        }
    }

    #[test]
    fn calls_are_announced_only_where_a_rule_may_bind() {
        use ToolScopeMode::{Enforce, Log, Off};
        for (mode, level, tools, guarded, wanted) in [
            (Enforce, 1, &[][..], &[][..], false),
            (Enforce, 1, LISTED, &[], true),
            (Log, 1, LISTED, &[], true),
            (Off, 1, LISTED, &[], false),
            (Off, 1, &[], &["Bash"][..], true),
            (Off, 4, &[], &["Bash"], false),
            (Enforce, 4, LISTED, &[], true),
        ] {
            assert_eq!(scope(mode, level, tools, guarded).wants_announcements(), wanted, "{mode:?} {level} {tools:?}");
        }
    }
}
