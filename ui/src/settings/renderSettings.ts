import type { Settings } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";

/** Renders the settings page with a fake backend that stores changes, for tests. */
export function renderSettings(changed: Partial<Settings> = {}) {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
    ...changed,
  };
  const opened = renderApp("/settings", {
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
    agents_list: () => [],
    editors_list: () => ({ editors: [], automatic: null, environment: null }),
  });
  return { ...opened, saved: () => settings };
}
