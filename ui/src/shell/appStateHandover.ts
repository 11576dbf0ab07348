import type { AppState } from "@/api/bindings";

/**
 * State passed from a page to the next one in the same tab. Otherwise a reloaded page could be
 * faster than the last save of its predecessor, and would start with the defaults while the backend
 * is slow.
 */
export interface AppStateHandover {
  ui: AppState["ui"];
  /** The names of values that may not have been saved yet. */
  changed: string[];
}

const key = "baton.appState";

export function saveHandover(state: AppStateHandover): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // Storage may be full or disabled. The backend then has everything except the latest changes.
  }
}

/** Reads the handover and removes it. */
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
