// Stands in for the types that are generated from Rust.

export type PlanId = string;
export type NodeId = string;
export type RunId = string;
export type SessionId = string;
export type ArtifactId = string;
export type Timestamp = number;
export type Attempt = number;
export type Slug = string;

export interface Plan {
  id: PlanId;
  title: string;
  description: string;
  cwd: string | null;
  nodes: Node[];
  edges: Edge[];
  settings: PlanSettings;
  origin: Origin;
  metadata: Record<string, unknown>;
}

export interface PlanSettings {
  autonomy: Autonomy;
  concurrency: number;
  priority: number;
  maxRetries: number;
  timeoutMs: number | null;
  project: string | null;
  tags: string[];
  complexity: number | null;
  constraints: string[];
}

export type Autonomy = 0 | 1 | 2 | 3 | 4;

export interface Origin {
  source: "user" | "agent" | "trigger" | "import" | "example";
  sourceId: string | null;
  user: string | null;
  createdBy: string | null;
  plannerModel: string | null;
  executorModel: string | null;
  informedBy: string[];
  goal: string | null;
  trigger: string | null;
}

export interface Node {
  id: NodeId;
  slug: Slug;
  title: string;
  description: string;
  kind: NodeKind;
  instructions: string;
  acceptanceCriteria: string[];
  toolsRequired: string[];
  suggestedAgent: string | null;
  triggerRule: TriggerRule;
  maxRetries: number;
  timeoutMs: number | null;
  onFailure: OnFailure;
  priority: number;
  position: Position | null;
  metadata: Record<string, unknown>;
}

export interface AgentTask {
  agent: string | null;
  model: string | null;
  prompt: string;
}
export interface CommandTask {
  command: CommandLine;
  env: Record<string, string>;
  cwd: string | null;
}
export type CommandLine = string | string[];
export interface Note {
  text: string;
}
export type NodeKind =
  | ({ kind: "agent" } & AgentTask)
  | ({ kind: "command" } & CommandTask)
  | ({ kind: "note" } & Note);

export type TriggerRule =
  | "all_success"
  | "all_done"
  | "one_success"
  | "one_failed"
  | "none_failed"
  | "none_failed_min_one_success";
export type OnFailure = "abort" | "skip";
export interface Position {
  x: number;
  y: number;
}
export interface Edge {
  parent: NodeId;
  child: NodeId;
  soft: boolean;
}

export type ReviewState =
  | "draft"
  | "proposed"
  | "approved"
  | "rejected"
  | "needs_review"
  | "cancelled";

export type Problem =
  | { problem: "cycle"; path: NodeId[]; titles: string[] }
  | { problem: "dangling_edge"; node: NodeId | null; title: string }
  | { problem: "duplicate_edge"; parent: string; child: string }
  | { problem: "duplicate_node"; slug: string }
  | { problem: "title_length"; of: string; length: number }
  | {
      problem: "out_of_range";
      field: string;
      of: string;
      least: number;
      most: number;
      found: number;
    };

export type Goal = { want: "all" } | { want: "only"; nodes: NodeId[] };
export type RunGoal = { want: "all" } | { want: "next" } | { want: "node"; node: NodeId };

export type Ending =
  | { kind: "pausing"; stop_running: boolean }
  | { kind: "cancelling" }
  | { kind: "aborting"; node: NodeId };
export type PauseReason = "asked" | "goal_reached";
export type RunState =
  | { state: "running"; ending: Ending | null }
  | { state: "paused"; reason: PauseReason }
  | { state: "replanning" }
  | { state: "stalled"; message: string }
  | { state: "completed" }
  | { state: "failed"; message: string }
  | { state: "cancelled" };

export type Failure =
  | { reason: "exit_code"; code: number }
  | { reason: "signal"; signal: number }
  | { reason: "timed_out"; limit_ms: number }
  | { reason: "not_started"; detail: string }
  | { reason: "agent_error"; detail: string }
  | { reason: "bad_input"; detail: string }
  | { reason: "disk_full"; detail: string };

export type WaitingFor =
  | { kind: "slot" }
  | { kind: "retry_at"; at: Timestamp }
  | { kind: "limit_until"; at: Timestamp }
  | { kind: "person"; question: string; request: string };
export type SkipReason =
  | { kind: "by_hand" }
  | { kind: "after_failure"; failure: Failure }
  | { kind: "parent_skipped"; parent: NodeId }
  | { kind: "rule_not_met" };
export type NodeState =
  | { state: "pending" }
  | { state: "blocked"; by: NodeId }
  | { state: "waiting"; for: WaitingFor }
  | { state: "running" }
  | { state: "done"; by_hand: boolean }
  | { state: "failed"; failure: Failure }
  | { state: "interrupted"; detail: string }
  | { state: "skipped"; reason: SkipReason };
export type NodeWord = NodeState["state"];

export interface RunSummary {
  id: RunId;
  plan: PlanId;
  title: string;
  version: number;
  state: RunState;
  goal: Goal;
  startedAt: Timestamp;
  endedAt: Timestamp | null;
  progress: NodeWord[];
  attended: boolean;
}
export interface RunView {
  summary: RunSummary;
  seq: number;
  plan: Plan;
  limit: number;
  nodes: NodeRunView[];
}
export interface NodeRunView {
  node: NodeId;
  state: NodeState;
  attempt: Attempt;
  session: SessionId | null;
  startedAt: Timestamp | null;
  endedAt: Timestamp | null;
  stale: boolean;
  unverified: boolean;
  activity: string | null;
  artifact: ArtifactId | null;
}
export interface PlanView {
  plan: Plan;
  version: number;
  revision: number;
  review: ReviewState;
  approvedVersion: number | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  lastRun: RunSummary | null;
}
/** One line of the blueprints page. */
export interface PlanSummary {
  id: PlanId;
  title: string;
}
export type CheckVerdict = "failed" | "warning" | "passed";
export interface Check {
  verdict: CheckVerdict;
  sentence: string;
  mend: string | null;
  node: NodeId | null;
}
export interface Preflight {
  checks: Check[];
  mayRun: boolean;
}
export type Direction = "right" | "down";
export interface Placement {
  node: NodeId;
  position: Position;
}
export interface PlanProblems {
  problems: Problem[];
  sentences: string[];
}
export interface DirectoryView {
  path: string;
  exists: boolean;
  git: boolean;
}
export interface AgentView {
  id: string;
  title: string;
  custom: boolean;
  default: boolean;
  path: string | null;
  version: string | null;
  loggedIn: boolean | null;
  mend: string | null;
  command: string[];
}
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  usd: number | null;
}
export type Outcome =
  | { kind: "succeeded" }
  | { kind: "failed"; failure: Failure }
  | { kind: "cancelled" }
  | { kind: "lost"; detail: string };
export interface AttemptView {
  attempt: Attempt;
  session: SessionId;
  agent: string | null;
  startedAt: Timestamp | null;
  endedAt: Timestamp | null;
  outcome: Outcome | null;
  sentence: string;
  artifact: ArtifactId | null;
  usage: Usage;
}
export interface NodeRef {
  run: RunId;
  node: NodeId;
}
export interface PlanRef {
  plan: PlanId;
}
export interface RunRef {
  run: RunId;
}
export type Nothing = Record<string, never>;

/** Every operation by name, with what goes in and what comes out. */
export interface Operations {
  plan_list: { input: { search?: string }; output: PlanSummary[] };
  plan_delete: { input: { plan_id: string }; output: null };

  plan_get: { input: PlanRef; output: PlanView };
  plan_save: { input: { plan: Plan; baseRevision: number }; output: PlanView };
  plan_check: { input: { plan: Plan }; output: PlanProblems };
  plan_approve: { input: { plan: PlanId; revision: number }; output: PlanView };
  plan_preflight: { input: PlanRef; output: Preflight };
  plan_arrange: { input: { plan: Plan; direction: Direction }; output: Placement[] };
  directory_check: { input: { path: string }; output: DirectoryView };
  run_start: {
    input: { plan: PlanId; goal: RunGoal; limit: number | null };
    output: RunView;
  };
  run_pause: { input: { run: RunId; stopRunning: boolean }; output: RunSummary };
  run_resume: { input: RunRef; output: RunSummary };
  run_cancel: { input: RunRef; output: RunSummary };
  run_want: { input: { run: RunId; goal: RunGoal }; output: RunSummary };
  runs_list: { input: { plan: PlanId | null; limit: number }; output: RunSummary[] };
  run_get: { input: RunRef; output: RunView };
  node_retry: { input: NodeRef; output: RunSummary };
  node_rerun: { input: NodeRef; output: RunSummary };
  node_skip: { input: NodeRef; output: RunSummary };
  node_mark_done: { input: { run: RunId; node: NodeId; handoff: string }; output: RunSummary };
  node_answer: {
    input: { run: RunId; node: NodeId; request: string; allow: boolean };
    output: RunSummary;
  };
  node_attempts: { input: NodeRef; output: AttemptView[] };
  agents_list: { input: Nothing; output: AgentView[] };
}

/** What the backend tells without being asked. */
export type UiEvent =
  | { kind: "plans_changed"; plan_id: string }
  | { kind: "run_changed"; plan_id: string; run_id: string };
