//! Collects what a session's agent says, according to its events: its last answer, and whether it
//! did or said anything.

use baton_agents::SessionEvent;
use baton_agents::event::TurnEnd;

/// The maximum number of bytes kept of one answer. A longer one is truncated.
const KEPT: usize = 256 * 1024;

/// The agent's text in a session so far.
#[derive(Default)]
pub(crate) struct AnswerLog {
    /// Text since the last tool call in the current turn.
    open: String,
    /// Whether there was any text in the current turn.
    spoke: bool,
    /// The text of the last turn that ended well. A turn that breaks off gives no answer.
    last: Option<String>,
    /// How many turns ended well.
    turns: u32,
    /// How many turns had text.
    spoken: u32,
    calls: u32,
}

impl AnswerLog {
    pub(crate) fn observe(&mut self, events: &[SessionEvent]) {
        for event in events {
            match event {
                SessionEvent::Text { markdown } => self.append_text(markdown),
                SessionEvent::ToolStarted { .. } => {
                    self.calls = self.calls.saturating_add(1);
                    self.open.clear();
                }
                SessionEvent::TurnEnded { end, text, .. } => self.end_turn(end, text),
                _ => {}
            }
        }
    }

    fn append_text(&mut self, text: &str) {
        self.spoke |= !text.trim().is_empty();
        if !self.open.is_empty() {
            self.open.push_str("\n\n");
        }
        let room = KEPT.saturating_sub(self.open.len());
        self.open
            .push_str(&text[..text.floor_char_boundary(room.min(text.len()))]);
    }

    fn end_turn(&mut self, end: &TurnEnd, text: &str) {
        let open = std::mem::take(&mut self.open);
        let spoke = std::mem::take(&mut self.spoke);
        if *end != TurnEnd::Done {
            self.spoken += u32::from(spoke);
            return;
        }
        let answer = if text.trim().is_empty() {
            open
        } else {
            text.to_owned()
        };
        let has_text = !answer.trim().is_empty();
        self.turns += 1;
        self.spoken += u32::from(spoke || has_text);
        if has_text {
            self.last = Some(answer);
        }
    }

    /// The last answer: from the last turn that ended well, or from the current turn when none has.
    pub(crate) fn last(&self) -> Option<&str> {
        let open =
            Some(self.open.as_str()).filter(|text| self.turns == 0 && !text.trim().is_empty());
        self.last.as_deref().or(open)
    }

    /// Returns whether the agent called no tool and said nothing. With `has_handoff`, the separate
    /// turn that asked for the handoff does not count.
    pub(crate) fn is_idle(&self, has_handoff: bool) -> bool {
        let asked = u32::from(has_handoff && self.turns > 1);
        self.calls == 0 && !self.spoke && self.spoken.saturating_sub(asked) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(markdown: &str) -> SessionEvent {
        SessionEvent::Text {
            markdown: markdown.to_owned(),
        }
    }

    fn ended(end: TurnEnd, text: &str) -> SessionEvent {
        SessionEvent::TurnEnded {
            end,
            text: text.to_owned(),
            unprompted: false,
        }
    }

    fn call() -> SessionEvent {
        let (id, name) = ("1".to_owned(), "Bash".to_owned());
        SessionEvent::ToolStarted {
            id,
            name,
            summary: String::new(),
            input: serde_json::Value::Null,
        }
    }

    fn log(events: &[SessionEvent]) -> AnswerLog {
        let mut log = AnswerLog::default();
        log.observe(events);
        log
    }

    #[test]
    fn interrupted_turn_does_not_overwrite_answer() {
        let worked = [
            text("I look."),
            call(),
            text("It is done."),
            ended(TurnEnd::Done, ""),
        ];
        let mut log = log(&worked);
        assert_eq!(
            log.last(),
            Some("It is done."),
            "text before a tool call is not the answer"
        );
        log.observe(&[
            text("API Error: 500"),
            ended(TurnEnd::Unavailable, "API Error: 500"),
        ]);
        assert_eq!(log.last(), Some("It is done."));
        log.observe(&[text("half a sent")]);
        assert_eq!(
            log.last(),
            Some("It is done."),
            "nor does an unfinished turn"
        );
    }

    #[test]
    fn session_without_tool_calls_or_text_is_idle() {
        let silent = || ended(TurnEnd::Done, "");
        let handoff = || ended(TurnEnd::Done, "**What was done:** nothing");
        assert!(log(&[silent()]).is_idle(false));
        assert!(
            log(&[silent(), handoff()]).is_idle(true),
            "the handoff turn does not count"
        );
        assert!(!log(&[text("Hello."), silent(), handoff()]).is_idle(true));
        assert!(!log(&[call(), silent(), handoff()]).is_idle(true));
        assert!(
            !log(&[handoff()]).is_idle(true),
            "some agents have only one turn"
        );
        assert!(!log(&[text("Still at it")]).is_idle(false));
    }
}
