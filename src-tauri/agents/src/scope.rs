//! Which tool calls of a session are allowed, refused, or asked. The same for all agents.
//!
//! Tools that do more than look are **guarded**, by what they do ([`ToolKind`]); a person may name more of them, in the
//! plan or in the settings. What becomes of a call follows from the level of autonomy:
//!
//! | level | a tool that the node lists | a tool outside that list | a node without a list |
//! | --- | --- | --- | --- |
//! | 0 | guarded ones are asked | asked | guarded ones are asked |
//! | 1 | runs: the approval names it | asked | runs: the approval covers the node |
//! | 2 | runs | guarded ones are asked | guarded ones are asked |
//! | 3 | runs | guarded ones are refused | guarded ones are refused |
//! | 4 | runs | runs | runs |
//!
//! Level 1 asks about tools that a person named as guarded, unless the node lists them, and not about what keeps the
//! agent's own books. The node's list binds further where its mode says so: enforce refuses at 1 to 3 what it does not
//! name, log runs it at 1 and writes it down, off takes the list for a hint, as if there were none.
//!
//! Leave that a person gave ([`Grant`]) makes a question of a refusal. The answer is the run's: it holds what is allowed
//! by now, so that leave that was taken back ends at once, also for a session that lives. Names count exactly, save that
//! the tools of different agents that do the same count as one ([`tool_name`](crate::tool_name)): a plan need not be
//! written again for another agent.
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
use crate::tool_kind::ToolKind;
use crate::tool_name::{command_of, same_tool};

/// The rules of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolScope {
    /// How strictly the list binds.
    pub mode: ToolScopeMode,
    /// The tools that the node may use; empty: no list was given.
    pub tools: Vec<String>,
    /// The tools that a person wants to decide about, besides those that are guarded by what they do.
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
        let guards_bind = match self.autonomy {
            Autonomy::AskAll | Autonomy::AskGuarded | Autonomy::RefuseGuarded => true,
            Autonomy::AskNew => !self.guarded.is_empty(),
            Autonomy::Free => false,
        };
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
            ToolScopeMode::ByLevel | ToolScopeMode::Enforce => self.autonomy == Autonomy::Free,
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
    pub fn would_have(
        &self,
        call: &str,
        what: String,
        tool: &str,
        input: &Value,
    ) -> Option<SessionEvent> {
        let note = self.would_block(tool, input)?;
        Some(SessionEvent::OutsideScope {
            call: call.to_owned(),
            what,
            note,
            refused: false,
        })
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
        match self.list(tool).unwrap_or_else(|| self.guard(tool)) {
            Ruling::Deny(_) if self.is_granted(tool, input) => Ruling::Ask,
            ruling => ruling,
        }
    }

    /// What the node's list says; `None` where it has nothing to say.
    fn list(&self, tool: &str) -> Option<Ruling> {
        if !self.is_outside(tool) {
            return None;
        }
        match (self.mode, self.autonomy) {
            (_, Autonomy::Free) | (ToolScopeMode::Off | ToolScopeMode::Log, _) => None,
            (ToolScopeMode::ByLevel | ToolScopeMode::Enforce, Autonomy::AskAll) => {
                Some(Ruling::Ask)
            }
            (ToolScopeMode::Enforce, _) => Some(Ruling::Deny(self.refusal(tool))),
            (ToolScopeMode::ByLevel, Autonomy::AskNew) => Some(Ruling::Ask)
                .filter(|_| self.is_named(tool) || ToolKind::of(tool) != ToolKind::Note),
            (ToolScopeMode::ByLevel, Autonomy::AskGuarded | Autonomy::RefuseGuarded) => None,
        }
    }

    fn guard(&self, tool: &str) -> Ruling {
        let is_guarded = || self.is_named(tool) || ToolKind::of(tool).is_guarded();
        let is_new = || !self.lists(tool);
        match self.autonomy {
            Autonomy::AskAll if is_guarded() => Ruling::Ask,
            Autonomy::AskNew if is_new() && self.is_named(tool) => Ruling::Ask,
            Autonomy::AskGuarded if is_new() && is_guarded() => Ruling::Ask,
            Autonomy::RefuseGuarded if is_new() && is_guarded() => Ruling::Deny(self.refusal(tool)),
            _ => Ruling::Allow,
        }
    }

    /// Whether a person named the tool as one to decide about.
    fn is_named(&self, tool: &str) -> bool {
        self.guarded.iter().any(|guarded| same_tool(guarded, tool))
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
            [] => format!(
                "Tool {tool} is not available in this plan. It is guarded, and nobody is asked."
            ),
            tools => format!(
                "Tool {tool} is not available in this plan. Only: {}",
                tools.join(", ")
            ),
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
mod tests;
