//! Proposals: generated plans, and changes to plans that wait for a person's decision.

pub use baton_model::planning::Freshness;
use baton_model::planning::{
    Comment, Feedback, Impact, ProposalKind, ProposalState, ProposedChange, Remark,
};
use baton_model::review::RejectionReason;
use baton_model::{NodeId, Plan, PlanDiff, PlanId, ProposalId, RunId, SessionId, Timestamp};

use super::{PlanView, wire};

wire! {
    /// Generates a plan from a goal.
    pub struct PlanGenerate {
        /// The goal as the person wrote it.
        pub goal: String,
        /// Working directory of the plan, which the planner also explores: an absolute path, or one
        /// that starts with `~`.
        pub cwd: String,
        /// The agent that plans; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
        /// Constraints on the work, one sentence each: at most 50, of 2 KB each.
        #[serde(default)]
        pub constraints: Vec<String>,
        /// Code that exists already and matters for the goal, as text: at most 50 entries, and 200 KB
        /// in total.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub existing_code: Vec<String>,
        /// What you learned from earlier work: at most 50 entries, of 2 KB each. The plan keeps them.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub memories: Vec<String>,
    }
    /// Generates the nodes of a plan. Its description is the goal.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanFill {
        pub plan: PlanId,
        /// The agent that plans; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
        /// Constraints on the work beside those of the plan, one sentence each: at most 50, of 2 KB
        /// each.
        #[serde(default)]
        pub constraints: Vec<String>,
        /// Code that exists already and matters for the goal, as text: at most 50 entries, and 200 KB
        /// in total.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub existing_code: Vec<String>,
        /// What you learned from earlier work: at most 50 entries, of 2 KB each. The plan keeps them.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub memories: Vec<String>,
    }
    /// Creates a plan from a session. Exactly one of `session` and `transcript` is set.
    pub struct PlanFromSession {
        /// A session of a node.
        #[serde(default)]
        pub session: Option<SessionId>,
        /// A transcript from an agent's own history.
        #[serde(default)]
        pub transcript: Option<String>,
        /// What the plan should do; empty to repeat the session's work.
        #[serde(default)]
        pub wish: String,
        /// Working directory of the plan; `None` for that of the session.
        #[serde(default)]
        pub cwd: Option<String>,
        /// The agent that plans; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// Splits a node into several.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanSplit {
        pub plan: PlanId,
        pub node: NodeId,
        /// Instructions for the planner; may be empty.
        #[serde(default)]
        pub wish: String,
        /// The agent that plans; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// Explains a plan or one of its nodes.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanExplain {
        pub plan: PlanId,
        /// `None` for the whole plan.
        #[serde(default)]
        pub node: Option<NodeId>,
        /// What the person wants to know; may be empty.
        #[serde(default)]
        pub wish: String,
        /// The agent that explains; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// Replans after a run that didn't complete. Refused while the run is in progress.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunReplan {
        pub run: RunId,
        /// The node to replan; `None` for everything that failed.
        #[serde(default)]
        pub node: Option<NodeId>,
        /// Instructions for the planner; may be empty.
        #[serde(default)]
        pub wish: String,
        /// The agent that plans; `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
        /// `None` for the agent's own default.
        #[serde(default)]
        pub model: Option<String>,
    }
    /// Selects the proposals to list.
    pub struct ProposalsFilter {
        /// Only proposals that need action by an agent or a person.
        #[serde(default)]
        pub open: bool,
        /// Only proposals about this plan.
        #[serde(default)]
        pub plan: Option<PlanId>,
        /// Maximum number of proposals, latest first.
        pub limit: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalRef {
        pub proposal: ProposalId,
    }
    /// A proposal as shown in lists.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalSummary {
        pub id: ProposalId,
        pub kind: ProposalKind,
        pub state: ProposalState,
        /// Title of the drafted plan; before there is a draft, the request.
        pub title: String,
        /// The goal or request as the person wrote it.
        pub wish: String,
        pub author: ProposalAuthor,
        /// `None` for a new plan.
        pub target: Option<ProposalTarget>,
        /// How often a planner was asked, including repairs.
        pub rounds: u32,
        /// The current round repairs an unusable answer.
        pub repairing: bool,
        /// How often a person rejected it.
        pub rejections: u32,
        /// The run of the planner's latest session. It isn't listed; `run_get` shows it. `None` if
        /// it was submitted complete.
        pub run: Option<RunId>,
        /// The planner's latest session, which `session_timeline` shows during and after the work.
        /// `None` before it starts.
        pub session: Option<SessionId>,
        /// What the planner is doing, in one line, if this process knows.
        pub activity: Option<String>,
        /// Number of nodes in the draft; 0 without one.
        pub node_count: u32,
        /// When it was requested.
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        /// When it expires without a decision.
        pub expires_at: Timestamp,
    }
    /// The agent that plans.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalAuthor {
        pub agent: String,
        /// Display name of the agent.
        pub title: String,
        pub model: Option<String>,
        /// Requested by Baton itself, because the plan says so.
        pub automatic: bool,
        /// Who submitted it complete, as in the history; `None` for that of a planner.
        pub submitted_by: Option<String>,
    }
    /// What a proposal is about.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalTarget {
        pub plan: PlanId,
        /// `None` if the plan was deleted.
        pub title: Option<String>,
        /// The version that the planner saw.
        pub version: u32,
        /// The plan has a newer version or was deleted, so the proposal can't be accepted any more.
        pub moved: bool,
        pub node: Option<NodeId>,
        pub node_title: Option<String>,
        /// The run that didn't complete.
        pub run: Option<RunId>,
    }
    /// A proposal with everything needed to decide on it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalView {
        pub summary: ProposalSummary,
        /// The proposed plan with a layout; `None` without a usable answer, and for explanations.
        pub draft: Option<Plan>,
        /// The plan as the planner saw it; `None` for a new plan.
        pub base: Option<Plan>,
        /// The difference between the two; `None` for a new plan.
        pub diff: Option<PlanDiff>,
        /// The difference as single changes that `proposal_accept` can select; empty for a new
        /// plan.
        pub changes: Vec<ProposedChange>,
        /// For each of the changes, the positions of those that it needs. They are taken with it.
        pub required: Vec<Vec<usize>>,
        /// Effects on finished nodes; empty if there are none.
        pub impact: Impact,
        /// The effects as sentences.
        pub impact_sentences: Vec<String>,
        /// The planner's own reasoning: untrusted plain text or Markdown, never HTML.
        pub reasoning: String,
        /// The explanation, if one was requested: untrusted Markdown.
        pub explanation: Option<String>,
        /// What a person should know before accepting.
        pub remarks: Vec<Remark>,
        /// The remarks as sentences, in the same order.
        pub remark_sentences: Vec<String>,
        /// What would prevent the draft from running on this machine. A draft with failed checks
        /// can be accepted and fixed later.
        pub checks: Vec<super::Check>,
        /// What has changed since the draft was made; `None` without a draft that waits for a
        /// decision. A stale draft can be accepted by a person only.
        pub freshness: Option<Freshness>,
        /// Faults in the answer that is being repaired, or was repaired last.
        pub faults: Vec<String>,
        /// What people said when they rejected it, earliest first.
        pub feedback: Vec<Feedback>,
        /// Comments at places in the draft, earliest first.
        pub comments: Vec<Comment>,
        /// What is different from the draft that a person commented on or rejected last; `None` if
        /// nobody did, and for explanations.
        pub since_reviewed: Option<PlanDiff>,
        /// All rounds, first one first.
        pub rounds: Vec<ProposalRound>,
    }
    /// One round of planning.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalRound {
        pub run: RunId,
        /// `None` before the session starts.
        pub session: Option<SessionId>,
        /// When the round was requested.
        pub at: Timestamp,
        /// Faults in the previous answer that this round repairs; empty if it isn't a repair.
        pub faults: Vec<String>,
    }
    /// Accepts a proposal. Fails with `conflict` if the plan has changed since the planner saw it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalAccept {
        pub proposal: ProposalId,
        /// Only these changes and those that they need; `None` for all. Fails with `invalid` if they
        /// don't result in a valid plan.
        #[serde(default)]
        pub changes: Option<Vec<ProposedChange>>,
        /// The round of the draft that the person saw. Fails with `conflict` if there is a newer one.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub round: Option<u32>,
        /// For a replan: also approve the new version and continue with a run in which finished,
        /// unchanged nodes stay done.
        #[serde(default)]
        pub resume: bool,
    }
    /// The result of accepting a proposal.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalAccepted {
        pub plan: PlanView,
        /// The run that continues with the new version, if requested.
        pub run: Option<RunId>,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalReject {
        pub proposal: ProposalId,
        /// The round of the draft that the person saw. Fails with `conflict` if there is a newer one.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub round: Option<u32>,
        /// What is wrong with it, from a list.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub reason: Option<RejectionReason>,
        /// What is wrong with it. The planner receives this and all earlier feedback.
        #[serde(default)]
        pub feedback: String,
        /// Let the planner try again immediately. After the third rejection, use `proposal_retry`
        /// instead.
        #[serde(default)]
        pub again: bool,
    }
    /// Requests another try of a proposal that failed, was rejected or canceled, or needs review.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalRetry {
        pub proposal: ProposalId,
        /// Instructions for this try; may be empty.
        #[serde(default)]
        pub feedback: String,
    }
}
