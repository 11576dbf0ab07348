/** One section of the settings page. */
export interface SettingsSectionInfo {
  title: string;
  /** Extra search keywords. */
  also: string;
  /** Only in the desktop app. */
  desktop?: true;
}

/** The sections by topic, in page order. */
export const settingsSectionGroups: readonly {
  title: string;
  parts: readonly SettingsSectionInfo[];
}[] = [
  {
    title: "Agents and tools",
    parts: [
      { title: "Agents", also: "claude codex gemini opencode pi acp default own" },
      { title: "Teams", also: "arbiter agents round robin least busy" },
      { title: "Run defaults", also: "autonomy concurrency timeout time limit" },
      { title: "Agent limits", also: "sessions at once concurrency" },
      { title: "Tool servers", also: "mcp" },
      { title: "Guarded tools", also: "permission ask approve" },
      { title: "Proposals", also: "expire days planner" },
      { title: "Run history", also: "retention keep delete runs days archive" },
    ],
  },
  {
    title: "Interface",
    parts: [
      { title: "Appearance", also: "theme dark light contrast" },
      { title: "Keyboard shortcuts", also: "keys bindings" },
      { title: "Window", also: "close quit background tray", desktop: true },
      { title: "Notifications", also: "notices desktop" },
      { title: "Editor", also: "open file vscode code cursor zed jetbrains idea sublime visual" },
      { title: "Terminal", also: "shell console browser http worktree" },
    ],
  },
  {
    title: "This machine",
    parts: [
      { title: "Access tokens", also: "api http mcp program surface read write decide revoke" },
      { title: "Executors", also: "processes takeover worker" },
      { title: "Worktrees", also: "git clean up disk" },
      { title: "Data", also: "folder database size path" },
      { title: "About", also: "version license update" },
    ],
  },
];

/** Returns the sections on the page, in page order. */
export function settingsSections(desktop: boolean): readonly SettingsSectionInfo[] {
  return settingsSectionGroups
    .flatMap(({ parts }) => parts)
    .filter((part) => desktop || !part.desktop);
}

/** Returns the element ID of a section. */
export function sectionElementId(title: string): string {
  return `settings-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}
