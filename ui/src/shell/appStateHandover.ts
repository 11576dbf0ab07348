import type { AppState } from "@/api/bindings";

/**
 * What a page leaves to the next one in the same tab. A page that is loaded again would else race with the last save of
 * the one before, and look as on its first day while the backend is slow.
 */
export interface AppStateHandover {
  ui: AppState["ui"];
  /** The names whose values may not have been stored yet. */
  changed: string[];
}

const key = "baton.appState";

export function saveHandover(state: AppStateHandover): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // A browser without room or with storage turned off; the backend has all but the last moment.
  }
}

/** Takes what was left; it is there once. */
export function takeHandover(): AppStateHandover | undefined {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    sessionStorage.removeItem(key);
    return isAppStateHandover(left) ? left : undefined;
  } catch {
    return undefined;
  }
}

function isAppStateHandover(value: unknown): value is AppStateHandover {
  if (typeof value !== "object" || value === null) return false;
  const { ui, changed } = value as Partial<AppStateHandover>;
  const isNames = Array.isArray(changed) && changed.every((name) => typeof name === "string");
  return typeof ui === "object" && ui !== null && isNames;
}
