/** The sections of the settings by title, with words that people search them by. */
export const sections: readonly { title: string; also: string }[] = [
  { title: "Agents", also: "claude codex gemini opencode pi acp default own" },
  { title: "Teams", also: "arbiter agents in turn least busy" },
  { title: "Tool servers", also: "mcp" },
  { title: "Guarded tools", also: "permission ask leave" },
  { title: "Proposals", also: "expire days planner" },
  { title: "Appearance", also: "theme dark light contrast" },
  { title: "Keys", also: "keyboard shortcuts bindings" },
  { title: "Notifications", also: "notices desktop" },
  { title: "Executors", also: "processes takeover worker" },
  { title: "Worktrees", also: "git clean up disk" },
  { title: "Data", also: "folder database size path" },
  { title: "About", also: "version licence" },
];

/** The id of a section's element on the page. */
export function sectionElementId(title: string): string {
  return `settings-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}
