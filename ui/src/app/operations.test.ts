import { expect, test } from "vitest";
import operationsFile from "@/api/bindings.ts?raw";
import { type CommandId, isCommandId } from "@/commands/catalog";

/** How a person reaches an operation in the window, or why it needs no control there. */
type Reached =
  /** By a command, and so from the palette on every page where it applies. */
  | { command: CommandId }
  /** By a control at a place that the palette leads to. */
  | { place: string; by: CommandId | "source" }
  /** A page or a panel calls it to show something. */
  | { shows: string }
  /** Only called from outside the window. */
  | { shell: string };

const nodeInspector = { by: "source" } as const;

const reached: Record<string, Reached> = {
  plans_list: { shows: "Blueprints, and the palette" },
  plan_get: { shows: "a blueprint" },
  plan_create: { command: "new_blueprint" },
  plan_save: { command: "undo" },
  plan_patch: { shell: "programs; the window saves the whole plan" },
  node_add: { shell: "programs; the window saves the whole plan" },
  node_save: { shell: "programs; the window saves the whole plan" },
  node_remove: { shell: "programs; the window saves the whole plan" },
  nodes_reorder: { shell: "programs; the window saves the whole plan" },
  plan_check: { shows: "the errors that keep a change from being saved or run" },
  plan_approve: { command: "approve" },
  plan_agents_may_start: { place: "the panel of a blueprint", by: "source" },
  plan_delete: { command: "delete_plan" },
  plan_restore: { place: "the toast after deleting, the list of deleted blueprints", by: "source" },
  plans_deleted: { shows: "Recently deleted, on the page of blueprints" },
  plan_purge: { place: "the list of deleted blueprints", by: "source" },
  plan_save_copy: { place: "a blueprint that was deleted in another window", by: "source" },
  plan_archive: { place: "the menu of a blueprint in the list", by: "source" },
  plan_unarchive: { place: "the menu of a blueprint in the list", by: "source" },
  plan_retention_save: { place: "the panel of a blueprint", by: "source" },
  plan_duplicate: { command: "duplicate_plan" },
  plan_import: { command: "import_blueprint" },
  plan_bring: { shell: "`baton run FILE` and files opened from the desktop import a file again" },
  plan_look: { shows: "a preview of a plan file that was opened from the desktop" },
  plan_export: { place: "the menu of a blueprint in the list", by: "source" },
  plan_draw: { command: "export_plan" },
  plan_read: { command: "paste" },
  plan_thumbnail: { shows: "the graph on the card of a blueprint" },
  plan_preflight: { command: "check_plan" },
  approval_changes: { shows: "what has changed since a blueprint was approved" },
  plan_arrange: { command: "tidy" },
  plan_pace: { shows: "the expected durations of nodes" },
  run_course: { shows: "the timing of a run" },
  plan_versions: { command: "show_versions" },
  plan_version_get: { shows: "either version, in a comparison" },
  plan_compare: { shows: "what differs between two versions" },
  plan_version_name: { place: "the list of versions", by: "show_versions" },
  plan_restore_version: { place: "the list of versions", by: "show_versions" },
  templates_list: { shows: "templates, and the palette" },
  plan_from_template: { command: "new_from_template" },
  directory_check: { shows: "the state of a directory, next to its field" },
  plan_generate: { command: "generate_blueprint" },
  plan_from_session: { place: "the head of a session", by: "source" },
  plan_split: { command: "split_node" },
  plan_explain: { command: "explain_plan" },
  run_replan: { command: "replan" },
  proposals_list: { shows: "proposals, and the palette" },
  proposal_get: { shows: "a proposal" },
  proposal_accept: { place: "a proposal", by: "source" },
  proposal_reject: { place: "a proposal", by: "source" },
  proposal_retry: { place: "a proposal", by: "source" },
  proposal_cancel: { place: "a proposal", by: "source" },
  run_start_pinned: { command: "run_pinned" },
  run_start: { command: "run" },
  run_pause: { command: "pause" },
  run_resume: { command: "resume" },
  run_cancel: { command: "stop" },
  run_want: { command: "run_selected" },
  runs_list: { shows: "runs to choose from" },
  runs_page: { shows: "Runs" },
  runs_delete: { place: "Runs", by: "go_runs" },
  run_get: { shell: "`baton show`, and clients that want a run and its plan in one response" },
  run_progress: { shows: "a run on the graph" },
  run_history: { shows: "the history in the drawer" },
  run_rerun_stale: { command: "rerun_stale" },
  run_rerun_failed: { command: "retry_failed" },
  run_start_handler: { place: "the banner of a failed run", by: "source" },
  run_rerun_preview: { shows: "what a rerun would run, before it is confirmed" },
  run_checkpoint: { command: "checkpoints" },
  run_checkpoints: { shows: "the checkpoints of a run" },
  run_rollback: { command: "checkpoints" },
  node_retry: { command: "retry" },
  node_rerun: { command: "rerun" },
  node_rerun_alone: { command: "rerun_alone" },
  node_continue: { place: "the end of a node's timeline", by: "open_timeline" },
  node_review: { place: "the changes of a node", by: "open_changes" },
  node_stop: { command: "stop_node" },
  node_skip: { command: "skip" },
  node_mark_done: { command: "mark_done" },
  node_answer: { place: "the Inbox", by: "go_inbox" },
  node_merge: { place: "the Inbox", by: "go_inbox" },
  grants_list: { shows: "the granted permissions, in the blueprint's settings" },
  grant_revoke: { place: "the blueprint's settings", by: "plan_settings" },
  session_question: { shows: "the complete call of a permission request" },
  node_approve: { place: "the Inbox", by: "go_inbox" },
  node_input: { place: "the Inbox", by: "go_inbox" },
  node_mark_failed: { place: "the Inbox", by: "go_inbox" },
  node_attempts: { shows: "the attempts of a node" },
  run_summaries: { shows: "the summaries of a run, in the drawer" },
  node_summary: { shows: "the summary that a node wrote" },
  node_diff: { shows: "what a node changed" },
  node_context: { shows: "what a node receives" },
  inbox_list: { shows: "the Inbox" },
  requests_list: { shows: "the Inbox" },
  request_get: { shell: "`baton request show`, and agents that check on their requests" },
  request_allow: { place: "the Inbox", by: "go_inbox" },
  request_refuse: { place: "the Inbox", by: "go_inbox" },
  runs_ended: { shows: "notifications" },
  overview_get: { shell: "the tray, and the question before the window closes" },
  evidence_get: { shows: "the evidence of an attempt" },
  evidence_accept: { place: "the inspector of a node", ...nodeInspector },
  git_restore: { place: "the evidence of a node", ...nodeInspector },
  edge_context: { shows: "the handoff on an edge" },
  handoff_pin: { command: "pin" },
  handoff_unpin: { command: "pin" },
  pinned_outputs: { shows: "which outputs are pinned, and what a run with them does" },
  node_output_pin: { command: "pin_output" },
  node_output_unpin: { command: "unpin_output" },
  artifact_get: { shows: "a handoff" },
  artifact_edit: { place: "the Handoff tab of a node", ...nodeInspector },
  handoffs_compare: { shows: "which handoffs differ between two runs" },
  artifacts_list: { shell: "`baton call`; the window loads one handoff at a time" },
  sessions_list: { shell: "`baton session list`; the window lists transcripts" },
  session_plan: { place: "the end of a session", by: "source" },
  session_reach: { shows: "whether a session can be continued" },
  session_get: { shows: "a session" },
  session_timeline: { shows: "a timeline" },
  session_entry: { shows: "an entry that is opened" },
  session_search: { shows: "what a search in a timeline finds" },
  output_window: { shows: "the output of a command" },
  output_search: { shows: "what a search in an output finds" },
  output_line_count: { shows: "line numbers in an output" },
  output_text: { place: "the Copy menu of an output", by: "source" },
  session_file: { shows: "a file that a session mentions" },
  session_file_open: { place: "a file that a session mentions", by: "source" },
  transcripts_list: { shows: "Sessions, and the palette" },
  transcript_get: { shows: "a session of an agent's history" },
  transcripts_projects: { shows: "the projects to choose from" },
  transcripts_search: { shows: "what a search in Sessions finds" },
  transcript_timeline: { shows: "a timeline" },
  transcript_entry: { shows: "an entry that is opened" },
  transcript_find: { shows: "what a search in a timeline finds" },
  transcripts_rebuild: { command: "rebuild_index" },
  statistics_get: { shows: "Statistics" },
  tools_list: { shows: "the tools that a node may call" },
  tools_of_servers: { shows: "the tools of MCP servers" },
  tool_servers_list: { shows: "Settings, Tool servers" },
  tool_server_save: { place: "Settings, Tool servers", by: "source" },
  tool_server_delete: { place: "Settings, Tool servers", by: "source" },
  agents_list: { shows: "agents to choose from" },
  agent_save: { place: "Settings, Agents", by: "source" },
  agent_delete: { place: "Settings, Agents", by: "source" },
  teams_list: { shows: "Settings, Teams" },
  team_save: { place: "Settings, Teams", by: "source" },
  team_delete: { place: "Settings, Teams", by: "source" },
  doctor: { command: "go_doctor" },
  worktrees_list: { shows: "Settings, Worktrees" },
  worktree_remove: { place: "Settings, Worktrees", by: "source" },
  worktrees_remove_merged: { place: "Settings, Worktrees", by: "source" },
  run_home: { shows: "the merge back of a run" },
  run_bring_home: { command: "bring_home" },
  run_home_undo: { command: "bring_home" },
  run_home_agent: { command: "bring_home" },
  run_pull_request: { command: "open_pull_request" },
  run_pull_request_open: { command: "open_pull_request" },
  node_fan_in: { shows: "the merge that a node starts from" },
  run_overlaps: { shows: "nodes that changed the same files" },
  executors_list: { shows: "Settings, Executors" },
  editors_list: { shows: "Settings, Editor" },
  directory_open: { command: "open_folder" },
  terminals_list: { shows: "the terminals of a blueprint" },
  terminal_open: { command: "open_terminal" },
  terminal_output: { shows: "a terminal" },
  terminal_input: { place: "a terminal", by: "source" },
  terminal_resize: { place: "a terminal", by: "source" },
  terminal_close: { place: "a terminal", by: "source" },
  settings_get: { shows: "Settings" },
  settings_save: { command: "theme" },
  tokens_list: { shows: "Settings, Access tokens" },
  token_create: { place: "Settings, Access tokens", by: "source" },
  token_revoke: { place: "Settings, Access tokens", by: "source" },
  app_state_get: { shows: "the restored state of the window" },
  app_state_save: { command: "toggle_inspector" },
  enrichments_get: { shows: "stars, tags and notes" },
  enrichment_save: { place: "the list of blueprints, the head of a session", by: "source" },
  about: { command: "copy_data_path" },
};

const operations = [...operationsFile.matchAll(/^\s*"?([a-z_]+)"?: \{ input:/gm)].map(
  ([, name]) => name ?? "",
);

test("every operation is reachable in the app or listed as an exception", () => {
  expect(operations.length, "the list of operations was parsed").toBeGreaterThan(90);
  expect(Object.keys(reached).sort()).toEqual([...operations].sort());
});

test("commands listed for operations exist", () => {
  const named = Object.values(reached).flatMap((way) =>
    "command" in way ? way.command : "by" in way && way.by !== "source" ? way.by : [],
  );
  expect(named.filter((id) => !isCommandId(id))).toEqual([]);
});

const sources = import.meta.glob<string>(
  ["../**/*.{ts,tsx}", "!../api/bindings.ts", "!../**/*.test.*"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

test("listed operations are called by the app", () => {
  const text = Object.values(sources).join("\n");
  const silent = Object.entries(reached)
    .filter(([name, way]) => !("shell" in way) && !text.includes(`"${name}"`))
    .map(([name]) => name);
  expect(silent).toEqual([]);
});
