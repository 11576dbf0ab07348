/** A part of the settings page. */
export interface SettingsSectionInfo {
  title: string;
  /** Words that people search it by. */
  also: string;
  /** Only where Baton has windows of its own; a browser has none to set. */
  desktop?: true;
}

/** The sections by what they are about, in the order of the page. */
export const settingsSectionGroups: readonly {
  title: string;
  parts: readonly SettingsSectionInfo[];
}[] = [
  {
    title: "Agents and tools",
    parts: [
      { title: "Agents", also: "claude codex gemini opencode pi acp default own" },
      { title: "Teams", also: "arbiter agents in turn least busy" },
      { title: "Run defaults", also: "autonomy concurrency timeout time limit" },
      { title: "Agent limits", also: "sessions at once concurrency" },
      { title: "Tool servers", also: "mcp" },
      { title: "Guarded tools", also: "permission ask leave" },
      { title: "Proposals", also: "expire days planner" },
    ],
  },
  {
    title: "Interface",
    parts: [
      { title: "Appearance", also: "theme dark light contrast" },
      { title: "Keys", also: "keyboard shortcuts bindings" },
      { title: "Window", also: "close quit background tray", desktop: true },
      { title: "Notifications", also: "notices desktop" },
    ],
  },
  {
    title: "This machine",
    parts: [
      { title: "Access tokens", also: "api http mcp program surface read write decide revoke" },
      { title: "Executors", also: "processes takeover worker" },
      { title: "Worktrees", also: "git clean up disk" },
      { title: "Data", also: "folder database size path" },
      { title: "About", also: "version licence" },
    ],
  },
];

/** All sections that stand on the page, in its order. */
export function settingsSections(desktop: boolean): readonly SettingsSectionInfo[] {
  return settingsSectionGroups
    .flatMap(({ parts }) => parts)
    .filter((part) => desktop || !part.desktop);
}

/** The id of a section's element on the page. */
export function sectionElementId(title: string): string {
  return `settings-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}
