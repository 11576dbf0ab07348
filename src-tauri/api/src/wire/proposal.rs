//! Proposals: plans from a sentence, and changes to plans that wait for a person.

use baton_model::planning::{
    Feedback, Impact, ProposalKind, ProposalState, ProposedChange, Remark,
};
use baton_model::{NodeId, Plan, PlanDiff, PlanId, ProposalId, RunId, SessionId, Timestamp};

use super::{PlanView, wire};

wire! {
    /// A plan to be made from a goal.
    pub struct PlanGenerate {
        /// The goal, as the person wrote it.
        pub goal: String,
        /// Where the plan shall run, and what the planner looks at: an absolute path, or one that begins with `~`.
        pub cwd: String,
        /// Which agent plans; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
        /// Which model; none: the agent's own choice.
        #[serde(default)]
        pub model: Option<String>,
        /// What the work must respect, a sentence each.
        #[serde(default)]
        pub constraints: Vec<String>,
    }
    /// A plan to be made from a session: exactly one of `session` and `transcript` is named.
    pub struct PlanFromSession {
        /// A session of a node.
        #[serde(default)]
        pub session: Option<SessionId>,
        /// A transcript from an agent's own history.
        #[serde(default)]
        pub transcript: Option<String>,
        /// What the plan shall do with it; empty: do the same again.
        #[serde(default)]
        pub wish: String,
        /// Where the plan shall run; none: where the session ran.
        #[serde(default)]
        pub cwd: Option<String>,
        /// Which agent plans; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
        /// Which model; none: the agent's own choice.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// A node that shall become several.
    pub struct PlanSplit {
        /// The plan.
        pub plan: PlanId,
        /// The node.
        pub node: NodeId,
        /// What to mind; may be empty.
        #[serde(default)]
        pub wish: String,
        /// Which agent plans; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
        /// Which model; none: the agent's own choice.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// A plan, or a node of it, to be explained.
    pub struct PlanExplain {
        /// The plan.
        pub plan: PlanId,
        /// The node; none: the whole plan.
        #[serde(default)]
        pub node: Option<NodeId>,
        /// What the person wants to know; may be empty.
        #[serde(default)]
        pub wish: String,
        /// Which agent explains; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
        /// Which model; none: the agent's own choice.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// A plan whose run did not come to its end, to be planned anew. Refused while the run goes on.
    pub struct RunReplan {
        /// The run.
        pub run: RunId,
        /// The node that it is about; none: whatever failed.
        #[serde(default)]
        pub node: Option<NodeId>,
        /// What to mind; may be empty.
        #[serde(default)]
        pub wish: String,
        /// Which agent plans; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
        /// Which model; none: the agent's own choice.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// Which proposals.
    pub struct ProposalsFilter {
        /// Only those that an agent or a person still has to do something with.
        #[serde(default)]
        pub open: bool,
        /// Only those about this plan.
        #[serde(default)]
        pub plan: Option<PlanId>,
        /// At most so many, the latest first.
        pub limit: u32,
    }
    /// Names a proposal.
    pub struct ProposalRef {
        /// The proposal.
        pub proposal: ProposalId,
    }
    /// A proposal in one line.
    pub struct ProposalSummary {
        /// The proposal.
        pub id: ProposalId,
        /// What kind.
        pub kind: ProposalKind,
        /// Where it stands.
        pub state: ProposalState,
        /// The drafted plan's title, or what was asked for until there is one.
        pub title: String,
        /// The goal or the wish, as the person wrote it.
        pub wish: String,
        /// Who plans.
        pub author: ProposalAuthor,
        /// What it is about; none for a new plan.
        pub target: Option<ProposalTarget>,
        /// How often a planner was asked, repairs included.
        pub rounds: u32,
        /// The present round repairs an answer that could not be used.
        pub repairing: bool,
        /// How often a person has rejected it.
        pub rejections: u32,
        /// The run of the planner's latest session, hidden from lists: `run_get` shows it.
        pub run: RunId,
        /// The planner's latest session: `session_timeline` shows it while it works and afterwards. None before it starts.
        pub session: Option<SessionId>,
        /// What the planner does at the moment, in a line, when this process knows.
        pub activity: Option<String>,
        /// How many nodes the draft has; 0 without one.
        pub node_count: u32,
        /// When it was asked for.
        pub created_at: Timestamp,
        /// When anything of it changed last.
        pub updated_at: Timestamp,
        /// When it expires unless somebody decides.
        pub expires_at: Timestamp,
    }
    /// Who plans.
    pub struct ProposalAuthor {
        /// The agent, by its name.
        pub agent: String,
        /// The agent's name for people.
        pub title: String,
        /// The model that was asked for.
        pub model: Option<String>,
        /// Baton asked it by itself, because the plan says so.
        pub automatic: bool,
    }
    /// What a proposal is about.
    pub struct ProposalTarget {
        /// The plan.
        pub plan: PlanId,
        /// Its title; none when it is gone.
        pub title: Option<String>,
        /// The version that the planner has seen.
        pub version: u32,
        /// The plan is another version by now, or gone: the proposal cannot be accepted any more.
        pub moved: bool,
        /// The node.
        pub node: Option<NodeId>,
        /// The node's title.
        pub node_title: Option<String>,
        /// The run that did not come to its end.
        pub run: Option<RunId>,
    }
    /// A proposal with all that a person needs to decide.
    pub struct ProposalView {
        /// The same in one line.
        pub summary: ProposalSummary,
        /// The proposed plan, laid out; none while there is no usable answer, and for an explanation.
        pub draft: Option<Plan>,
        /// The plan as it was when the planner saw it; none for a new plan.
        pub base: Option<Plan>,
        /// What differs between the two; none for a new plan.
        pub diff: Option<PlanDiff>,
        /// The same as single changes, each of which `proposal_accept` takes; empty for a new plan.
        pub changes: Vec<ProposedChange>,
        /// What it does to finished nodes; empty when there are none.
        pub impact: Impact,
        /// The same in sentences.
        pub impact_sentences: Vec<String>,
        /// Why the planner made it so, in its own words: plain text or Markdown from outside, never HTML.
        pub reasoning: String,
        /// The explanation, Markdown from outside, when that was asked for.
        pub explanation: Option<String>,
        /// What a person may want to know before they accept.
        pub remarks: Vec<Remark>,
        /// The same as sentences, in the same order.
        pub remark_sentences: Vec<String>,
        /// What stands between the draft and a run on this machine; a draft with failures can be accepted and mended.
        pub checks: Vec<super::Check>,
        /// What was wrong with the answer that is being, or was last, repaired.
        pub faults: Vec<String>,
        /// What persons said when they rejected, the earliest first.
        pub feedback: Vec<Feedback>,
        /// Every try, the first one first.
        pub rounds: Vec<ProposalRound>,
    }
    /// One try of a planner.
    pub struct ProposalRound {
        /// Its run.
        pub run: RunId,
        /// Its session; none before it starts.
        pub session: Option<SessionId>,
        /// When it was ordered.
        pub at: Timestamp,
        /// What was wrong with the answer before, which this try repairs; empty: it repairs nothing.
        pub faults: Vec<String>,
    }
    /// Takes a proposal over. Refused with `conflict` when the plan has moved since the planner saw it.
    pub struct ProposalAccept {
        /// The proposal.
        pub proposal: ProposalId,
        /// Only these changes; none: all. Those that make no valid plan are refused with `invalid`.
        #[serde(default)]
        pub changes: Option<Vec<ProposedChange>>,
        /// Of a replan: approve the new version and go on with a run in which finished, unchanged nodes stay done.
        #[serde(default)]
        pub resume: bool,
    }
    /// What a proposal became.
    pub struct ProposalAccepted {
        /// The plan.
        pub plan: PlanView,
        /// The run that goes on with it, when that was asked for.
        pub run: Option<RunId>,
    }
    /// Says no to a proposal.
    pub struct ProposalReject {
        /// The proposal.
        pub proposal: ProposalId,
        /// What is wrong with it; the planner gets it, with all that was said before.
        #[serde(default)]
        pub feedback: String,
        /// Let the planner try again at once. After the third rejection nothing is tried by itself: use `proposal_retry`.
        #[serde(default)]
        pub again: bool,
    }
    /// Asks for another try of a proposal that failed, was rejected or cancelled, or needs review.
    pub struct ProposalRetry {
        /// The proposal.
        pub proposal: ProposalId,
        /// What to mind this time; may be empty.
        #[serde(default)]
        pub feedback: String,
    }
}
