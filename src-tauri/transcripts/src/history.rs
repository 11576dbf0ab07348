//! What the records of each agent mean. Pure: bytes in, figures and words out.
//!
//! Claude, Codex and pi append a record a line, and are read as they are. Gemini and opencode change what they wrote
//! before: their histories are first laid out as lines, see the module `layout`, and those are read here.

pub(crate) mod claude;
pub(crate) mod codex;
pub mod figures;
pub(crate) mod gemini;
pub(crate) mod line;
pub(crate) mod opencode;
pub(crate) mod pi;
pub mod price;
pub(crate) mod scan;
pub(crate) mod words;

pub use figures::Figures;

use crate::Agent;
use crate::history::line::Unreadable;
use crate::history::words::Words;

/// Of each tool's output so many bytes at its beginning are searched.
pub const TOOL_OUTPUT_BYTES: u32 = 4 * 1024;

/// Shorter lines are read sooner than it is found out what they are.
const LONG: usize = 2 * 1024;

/// Takes what one line tells into the figures.
pub(crate) fn take(agent: Agent, line: &[u8], figures: &mut Figures) -> Result<(), Unreadable> {
    let read = match agent {
        Agent::Claude => claude::take,
        Agent::Codex => codex::take,
        Agent::Gemini => gemini::take,
        Agent::Opencode => opencode::take,
        Agent::Pi => pi::take,
    };
    line::each(line, &mut |record| read(record, figures))
}

/// Whether a line is sure to tell the figures nothing but a time: a tool's answer. They are most of what there is to
/// read, and only the last line's time counts.
pub(crate) fn tells_only_time(agent: Agent, line: &[u8]) -> bool {
    match agent {
        Agent::Claude => line.len() > LONG && claude::is_answer(line),
        Agent::Codex => line.len() > LONG && codex::is_answer(line),
        Agent::Gemini | Agent::Opencode | Agent::Pi => false,
    }
}

/// What was said in one line, as it is searched.
#[must_use]
pub fn said(agent: Agent, line: &[u8]) -> String {
    let mut words = Words::default();
    collect(agent, line, &mut words);
    words.text().to_owned()
}

/// Collects what was said in one line. A line that cannot be read says nothing: the figures tell of it.
pub(crate) fn collect(agent: Agent, line: &[u8], words: &mut Words) {
    let read = match agent {
        Agent::Claude => claude::collect,
        Agent::Codex => codex::collect,
        Agent::Gemini => gemini::collect,
        Agent::Opencode => opencode::collect,
        Agent::Pi => pi::collect,
    };
    let _untold = line::each(line, &mut |record| read(record, words));
}
