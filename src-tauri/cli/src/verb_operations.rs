//! Which operations have a command. `baton call` reaches all of them.

/// The operations that each command calls.
pub(crate) const OPERATIONS_BY_VERB: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "plan_bring",
            "plan_preflight",
            "approval_changes",
            "plan_approve",
            "run_start",
            "run_start_pinned",
            "pinned_outputs",
            "run_get",
            "run_history",
        ],
    ),
    ("resume", &["runs_list", "run_resume"]),
    ("pin", &["plan_get", "node_output_pin"]),
    ("unpin", &["plan_get", "node_output_unpin"]),
    ("pins", &["plan_get", "pinned_outputs"]),
    ("plan list", &["plans_list", "plans_page"]),
    ("plan history", &["plan_history"]),
    ("plan submit", &["plan_submit"]),
    ("plan withdraw", &["plan_withdraw"]),
    ("plan reject", &["plan_reject"]),
    (
        "plan diff",
        &["plan_get", "plan_compare", "plan_version_get"],
    ),
    ("plan show", &["plan_get"]),
    (
        "plan new",
        &["plan_create", "templates_list", "plan_from_template"],
    ),
    (
        "plan generate",
        &["plan_generate", "plan_fill", "proposal_get"],
    ),
    ("plan import", &["plan_import", "plan_bring", "plan_look"]),
    ("plan export", &["plan_get", "plan_draw", "plan_picture"]),
    ("plan status-back", &["plan_status_back"]),
    ("plan set", &["plan_patch"]),
    ("plan add-node", &["node_add"]),
    ("plan set-node", &["node_save"]),
    ("plan remove-node", &["node_remove"]),
    ("plan reorder", &["nodes_reorder"]),
    ("plan confirm-edges", &["edges_confirm"]),
    ("plan approve", &["plan_preflight", "plan_approve"]),
    ("plan simulate", &["plan_simulate"]),
    ("plan changes", &["approval_changes"]),
    ("plan let-agents-start", &["plan_agents_may_start"]),
    ("plan delete", &["plan_delete"]),
    ("plan deleted", &["plans_deleted"]),
    ("plan undelete", &["plan_restore"]),
    ("plan purge", &["plan_purge"]),
    ("plan versions", &["plan_versions"]),
    ("plan name-version", &["plan_version_name"]),
    ("plan restore", &["plan_restore_version"]),
    ("plan files on", &["plan_files_save"]),
    ("plan files off", &["plan_files_save"]),
    ("plan files status", &["plan_files_list"]),
    ("plan archive", &["plan_archive"]),
    ("plan unarchive", &["plan_unarchive"]),
    ("plan retention", &["plan_retention_save"]),
    ("proposal list", &["proposals_list"]),
    ("proposal diff", &["proposal_get"]),
    ("proposal show", &["proposal_get"]),
    ("proposal simulate", &["proposal_simulate"]),
    ("proposal accept", &["proposal_accept", "proposal_get"]),
    ("proposal reject", &["proposal_reject"]),
    ("proposal submit", &["proposal_submit"]),
    ("proposal revise", &["proposal_revise"]),
    ("proposal comment", &["proposal_comment"]),
    ("proposal withdraw", &["proposal_cancel"]),
    ("runs list", &["runs_list", "runs_page"]),
    ("runs delete", &["runs_delete"]),
    ("runs show", &["run_get", "run_history", "node_summary"]),
    ("runs export", &["run_export"]),
    (
        "runs rerun-failed",
        &["run_rerun_failed", "run_rerun_preview"],
    ),
    ("runs start-handler", &["run_start_handler"]),
    ("runs pr", &["run_pull_request", "run_pull_request_open"]),
    ("runs cancel", &["run_cancel"]),
    ("runs pause", &["run_pause"]),
    ("node retry", &["node_retry"]),
    ("node rerun", &["node_rerun", "run_rerun_preview"]),
    ("node stop", &["node_stop"]),
    ("node skip", &["node_skip"]),
    ("node done", &["node_mark_done"]),
    ("node restore-git", &["git_restore"]),
    ("node mark-failed", &["node_mark_failed"]),
    ("node approve", &["node_approve"]),
    ("node reject", &["node_approve"]),
    ("node merge", &["node_merge"]),
    ("node input", &["node_input"]),
    ("node answer", &["node_answer"]),
    ("node question", &["session_question"]),
    ("node summary", &["node_summary"]),
    ("node diff", &["node_diff"]),
    ("node review", &["node_review"]),
    ("node permissions", &["grants_list"]),
    ("node revoke", &["grant_revoke"]),
    ("export", &["bundle_export"]),
    ("import", &["bundle_import"]),
    ("inbox", &["inbox_list", "requests_list"]),
    ("request list", &["requests_list"]),
    ("request show", &["request_get"]),
    ("request allow", &["request_allow"]),
    ("request answer", &["question_answer"]),
    ("request deny", &["request_refuse"]),
    ("token create", &["token_create"]),
    ("token list", &["tokens_list"]),
    ("token revoke", &["token_revoke"]),
    ("session list", &["sessions_list", "transcripts_list"]),
    (
        "session show",
        &[
            "session_get",
            "session_timeline",
            "session_entry",
            "transcript_get",
            "transcript_timeline",
            "transcript_entry",
            "evidence_get",
        ],
    ),
    (
        "session output",
        &[
            "session_get",
            "output_window",
            "output_search",
            "output_text",
        ],
    ),
    ("session search", &["transcripts_search"]),
    (
        "session continue",
        &["session_get", "node_continue", "session_plan"],
    ),
    ("session fork", &["session_plan"]),
    ("artifact show", &["artifact_get", "evidence_get"]),
    ("stats", &["statistics_get"]),
    ("mcp", &["run_request", "question_ask"]),
    ("agents", &["agents_list", "teams_list"]),
    (
        "agents connect",
        &["agent_connections_preview", "agent_connections_save"],
    ),
    ("agents calls", &["guarded_calls_list"]),
    ("doctor", &["doctor"]),
    ("executors", &["executors_list"]),
    ("worktrees list", &["worktrees_list"]),
    ("worktrees remove", &["worktree_remove"]),
    ("worktrees clean", &["worktrees_remove_merged"]),
    (
        "worktrees merge-back",
        &["run_home", "run_bring_home", "run_home_agent"],
    ),
    ("worktrees revert", &["run_home_undo"]),
    ("worktrees fan-in", &["node_fan_in"]),
    ("worktrees overlaps", &["run_overlaps"]),
];

/// Returns the command of an operation for the list of operations: the last one that calls it.
pub(crate) fn verb_of(operation: &str) -> String {
    let verb = OPERATIONS_BY_VERB
        .iter()
        .rev()
        .find(|(_, operations)| operations.contains(&operation));
    verb.map_or_else(
        || format!("call {operation}"),
        |(verb, _)| (*verb).to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use baton_api::OPERATIONS;
    use clap::CommandFactory;

    #[test]
    fn table_names_existing_verbs_and_operations() {
        for (verb, operations) in OPERATIONS_BY_VERB {
            let mut command = Arguments::command();
            for word in verb.split(' ') {
                let found = command.find_subcommand(word).cloned();
                command = found.unwrap_or_else(|| panic!("unknown command '{verb}'"));
            }
            for operation in *operations {
                assert!(
                    OPERATIONS.iter().any(|other| other.name == *operation),
                    "unknown operation {operation}"
                );
            }
        }
    }

    #[test]
    fn operations_without_a_verb_are_listed() {
        let names = OPERATIONS.iter().map(|operation| operation.name);
        let without: Vec<_> = names
            .filter(|name| verb_of(name).starts_with("call "))
            .collect();
        insta::assert_snapshot!(without.join(" "), @"plans_stats plan_save plan_check plan_save_copy plan_duplicate plan_export plan_read plan_thumbnail plan_events plan_arrange directory_check plan_from_session plan_split plan_explain run_replan proposal_retry run_want run_wait run_progress run_course plan_pace run_rerun_stale run_checkpoint run_checkpoints run_rollback node_rerun_alone node_attempts run_summaries node_context runs_ended overview_get evidence_accept edge_context handoff_pin handoff_unpin artifact_edit handoffs_compare artifacts_list session_reach session_search session_file session_file_open output_line_count transcripts_projects transcript_find transcripts_rebuild tools_list tools_of_servers tool_servers_list tool_server_save tool_server_delete agent_save agent_delete team_save team_delete agent_connections_list editors_list directory_open terminals_list terminal_open terminal_output terminal_input terminal_resize terminal_close settings_get settings_save app_state_get app_state_save enrichments_get enrichment_save about");
    }
}
