//! Decides which tool calls of a session are allowed, denied, or need a person's decision. The
//! rules are the same for all agents.
//!
//! Tools that do more than read are **guarded**, depending on what they do ([`ToolKind`]). A
//! person can guard more tools in the plan or in the settings. The autonomy level decides about a
//! call:
//!
//! | level | a tool that the node lists | a tool outside that list | a node without a list |
//! | --- | --- | --- | --- |
//! | 0 | asks if guarded | asks | asks if guarded |
//! | 1 | runs: the approval names it | asks | runs: the approval covers the node |
//! | 2 | runs | asks if guarded | asks if guarded |
//! | 3 | runs | denied if guarded | denied if guarded |
//! | 4 | runs | runs | runs |
//!
//! Level 1 asks about tools that a person guarded, unless the node lists them, and does not ask
//! about the agent's own bookkeeping. The mode of the node's list can make it stricter: `enforce`
//! denies unlisted tools at levels 1 to 3, `log` runs them at level 1 and records it, and `off`
//! treats the list as a hint, as if there were none.
//!
//! A [`Grant`] from a person turns a denial into a question to the run. The run answers it with the
//! grants in force now, so that revoking a grant takes effect immediately, even for a running
//! session. Names are compared exactly, except that equivalent tools of different agents count as
//! one ([`tool_name`](crate::tool_name)): a plan can switch agents unchanged.
//!
//! Drivers call [`ToolScope::on_request`] when the agent asks for permission, and
//! [`ToolScope::on_announcement`] when it would run the call by its own rules. This module only
//! decides. Whether an agent reports its calls at all is stated by
//! [`Adapter::tool_control`](crate::Adapter::tool_control).

use baton_model::Grant;
use baton_model::grant::is_covered;
use baton_model::plan::{Autonomy, ToolScopeMode};
use serde_json::Value;

use crate::event::SessionEvent;
use crate::json_text::summary;
use crate::tool_kind::ToolKind;
use crate::tool_name::{same_tool, shell_command};
use crate::tool_server::is_session_tool;

/// The tool rules of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolScope {
    /// How strictly `tools` binds.
    pub mode: ToolScopeMode,
    /// The tools that the node may use. Empty: the node has no list.
    pub tools: Vec<String>,
    /// The tools that a person guarded, in addition to those guarded by kind.
    pub guarded: Vec<String>,
    pub autonomy: Autonomy,
    /// Whether the session has Baton's [own tools](crate::tool_server), which need no permission.
    pub has_session_tools: bool,
    /// What a person allowed before the session began.
    pub granted: Vec<Grant>,
}

/// The decision of the rules on one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Run it. For an announced call: leave it to the agent's own rules.
    Allow,
    /// Ask a person and wait for the decision.
    Ask,
    /// Do not run it; the text is for the agent.
    Deny(String),
}

/// How far an agent's tool use can be restricted to a [`ToolScope`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolControl {
    /// The agent asks before it runs tools, and waits for the answer of a person.
    pub asks_permission: bool,
    /// The node's list binds every call, including those that the agent would run by its own
    /// rules.
    pub enforces_list: bool,
    /// The consequences for a person, in one or two sentences.
    pub description: &'static str,
}

impl ToolControl {
    /// An agent whose tool calls Baton can neither see nor stop.
    pub const NONE: Self = Self {
        asks_permission: false,
        enforces_list: false,
        description: "Baton can't see or block this agent's tool calls. The list of tools is only part of the prompt.",
    };
}

impl ToolScope {
    /// Whether the agent must announce calls that it would run by its own rules, because a rule
    /// may block or record them.
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

    /// Decides when the agent asks for permission to use `tool` with `input`.
    #[must_use]
    pub fn on_request(&self, tool: &str, input: &Value) -> Ruling {
        match self.rule(tool, input) {
            Ruling::Allow if self.autonomy == Autonomy::AskAll && !self.is_own(tool) => Ruling::Ask,
            ruling => ruling,
        }
    }

    /// Decides when a call is announced that the agent may run without asking.
    #[must_use]
    pub fn on_announcement(&self, tool: &str, input: &Value) -> Ruling {
        self.rule(tool, input)
    }

    /// The sentence to record when a call runs that [`ToolScopeMode::Enforce`] would have
    /// blocked.
    #[must_use]
    pub fn would_block(&self, tool: &str, input: &Value) -> Option<String> {
        let noted = match self.mode {
            ToolScopeMode::Off => false,
            ToolScopeMode::Log => true,
            ToolScopeMode::ByLevel | ToolScopeMode::Enforce => self.autonomy == Autonomy::Free,
        };
        let blocked = noted && self.is_unlisted(tool) && !self.is_granted(tool, input);
        blocked.then(|| format!("would have been blocked: {}", self.refusal(tool)))
    }

    /// The event for the announced call `call` when it is blocked or would have been.
    #[must_use]
    pub fn out_of_scope_event(
        &self,
        call: &str,
        tool: &str,
        input: &Value,
    ) -> Option<SessionEvent> {
        match self.rule(tool, input) {
            Ruling::Deny(note) => Some(Self::refusal_event(call, tool, input, &note)),
            Ruling::Allow | Ruling::Ask => {
                self.would_block_event(call, describe_call(tool, input), tool, input)
            }
        }
    }

    /// The event for the call `call`, described as `what`, that began without asking Baton: the
    /// list would have blocked it. Only the agent itself can block it.
    #[must_use]
    pub fn would_block_event(
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

    /// The event for the call `call`, which was denied because of `reason`.
    #[must_use]
    pub fn refusal_event(call: &str, tool: &str, input: &Value, reason: &str) -> SessionEvent {
        SessionEvent::OutsideScope {
            call: call.to_owned(),
            what: describe_call(tool, input),
            note: reason.to_owned(),
            refused: true,
        }
    }

    /// Returns whether the node's list contains `tool`.
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

    /// The decision of the node's list; `None` when the list does not apply.
    fn list(&self, tool: &str) -> Option<Ruling> {
        if !self.is_unlisted(tool) {
            return None;
        }
        match (self.mode, self.autonomy) {
            (_, Autonomy::Free) | (ToolScopeMode::Off | ToolScopeMode::Log, _) => None,
            (ToolScopeMode::ByLevel | ToolScopeMode::Enforce, Autonomy::AskAll) => {
                Some(Ruling::Ask)
            }
            (ToolScopeMode::Enforce, _) => Some(Ruling::Deny(self.refusal(tool))),
            (ToolScopeMode::ByLevel, Autonomy::AskNew) => Some(Ruling::Ask).filter(|_| {
                self.is_user_guarded(tool) || ToolKind::from_name(tool) != ToolKind::Bookkeeping
            }),
            (ToolScopeMode::ByLevel, Autonomy::AskGuarded | Autonomy::RefuseGuarded) => None,
        }
    }

    fn guard(&self, tool: &str) -> Ruling {
        let is_guarded_kind = || !self.is_own(tool) && ToolKind::from_name(tool).is_guarded();
        let is_guarded = || self.is_user_guarded(tool) || is_guarded_kind();
        let is_new = || !self.lists(tool);
        match self.autonomy {
            Autonomy::AskAll if is_guarded() => Ruling::Ask,
            Autonomy::AskNew if is_new() && self.is_user_guarded(tool) => Ruling::Ask,
            Autonomy::AskGuarded if is_new() && is_guarded() => Ruling::Ask,
            Autonomy::RefuseGuarded if is_new() && is_guarded() => Ruling::Deny(self.refusal(tool)),
            _ => Ruling::Allow,
        }
    }

    fn is_user_guarded(&self, tool: &str) -> bool {
        self.guarded.iter().any(|guarded| same_tool(guarded, tool))
    }

    fn is_unlisted(&self, tool: &str) -> bool {
        !self.tools.is_empty() && !self.lists(tool) && !self.is_own(tool)
    }

    fn is_own(&self, tool: &str) -> bool {
        self.has_session_tools && is_session_tool(tool)
    }

    fn is_granted(&self, tool: &str, input: &Value) -> bool {
        let command = shell_command(tool, input);
        is_covered(self.granted.iter(), tool, command.as_deref())
    }

    fn refusal(&self, tool: &str) -> String {
        match &self.tools[..] {
            [] => format!(
                "Tool {tool} is not available in this plan. It is guarded, and permission can't be requested."
            ),
            tools => format!(
                "Tool {tool} is not available in this plan. Only: {}",
                tools.join(", ")
            ),
        }
    }
}

/// A call on one line: the tool, and the field of its input that says most.
#[must_use]
pub fn describe_call(tool: &str, input: &Value) -> String {
    match summary(input) {
        line if line.is_empty() => tool.to_owned(),
        line => format!("{tool}: {line}"),
    }
}

#[cfg(test)]
mod tests;
