import { create } from "zustand";
import type { Backend, BackendEvent } from "@/api/Backend";
import type { AppState } from "@/api/bindings";
import { saveHandover, takeHandover } from "./appStateHandover";

/**
 * The delay before changes are saved, in milliseconds: dragging a panel changes its size with every
 * frame.
 */
const saveDelayMs = 500;

/**
 * The values that all windows share and update live. Everything else belongs to each window while
 * it is open: a panel shouldn't close because it was closed elsewhere.
 */
const shared = ["keys"];

type Ui = AppState["ui"];
type Caller = Pick<Backend, "call">;

/**
 * The state of this user's window, such as the active blueprint, views, sizes and sort orders
 * (`app-state.json`). Kept in memory, and saved shortly after a change. Values come from a file, so
 * readers must validate them. The theme is a setting and not part of it; a copy in the browser's
 * storage makes it available before the first paint, when no backend has answered yet.
 */
export const useAppState = create<{ ui: Ui }>(() => ({ ui: {} }));

/** The value stored under a name, if any. */
export function getAppStateValue(name: string): unknown {
  return useAppState.getState().ui[name];
}

let saver: Saver | undefined;

/** Stores a value under a name, and saves it if a backend is open. */
export function setAppStateValue(name: string, value: unknown): void {
  const { ui } = useAppState.getState();
  if (same(ui[name], value)) return;
  useAppState.setState({ ui: { ...ui, [name]: value } });
  saver?.markChanged(name);
}

/**
 * Loads the state once and saves changes from then on, until the returned function is called. If
 * the backend doesn't answer in time, or refuses, the window starts with the defaults; no error is
 * shown.
 */
export async function openAppState(backend: Caller, timeoutMs = 1_000): Promise<() => void> {
  const mine = new Saver(backend);
  saver?.close();
  saver = mine;
  window.addEventListener("pagehide", mine.leave);
  await Promise.race([mine.read(), new Promise((resolve) => setTimeout(resolve, timeoutMs))]);
  return () => mine.close();
}

/** Follows changes of shared values by other windows, until the returned function is called. */
export function followAppState(backend: Pick<Backend, "events">): () => void {
  return backend.events((signal: BackendEvent) => {
    const isRelevant =
      signal.kind === "gap" || signal.event.change === "app_state" || signal.event.change === "all";
    if (isRelevant) void saver?.follow();
  });
}

/** Resets the state without saving; for tests. */
export function resetAppState(): void {
  saver?.close();
  takeHandover();
  useAppState.setState({ ui: {} });
}

/** The storage adapter for layouts of `react-resizable-panels`. */
export const layoutStorage = {
  getItem(key: string): string | null {
    const value = getAppStateValue(key);
    return typeof value === "string" ? value : null;
  },
  setItem: setAppStateValue,
};

/** Saves changed values to the backend. */
class Saver {
  readonly #backend: Caller;
  readonly #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #known = false;
  #asked = false;
  #following = false;

  constructor(backend: Caller) {
    this.#backend = backend;
    const left = takeHandover();
    if (!left) return;
    useAppState.setState(({ ui }) => ({ ui: { ...left.ui, ...ui } }));
    for (const name of left.changed) this.markChanged(name);
  }

  /** Loads the stored state, except for values changed here since. Returns whether that worked. */
  async read(): Promise<boolean> {
    try {
      const { ui } = await this.#backend.call("app_state_get", {});
      if (saver === this) useAppState.setState(({ ui: now }) => ({ ui: this.#over(ui, now) }));
      this.#known = true;
      return true;
    } catch {
      return false;
    }
  }

  /** Reloads the values that all windows share, and again if they change in the meantime. */
  async follow(): Promise<void> {
    this.#asked = true;
    if (this.#following) return;
    this.#following = true;
    while (this.#asked) {
      this.#asked = false;
      try {
        const { ui: stored } = await this.#backend.call("app_state_get", {});
        if (saver === this) this.#share(stored);
      } catch {
        // Ignored: the next save reads the state again, and skips saving if that fails.
      }
    }
    this.#following = false;
  }

  markChanged(name: string): void {
    this.#changed.add(name);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), saveDelayMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    window.removeEventListener("pagehide", this.leave);
    if (saver === this) saver = undefined;
  }

  /** The page is being closed: there is time for a single request, so don't read first. */
  readonly leave = (): void => {
    clearTimeout(this.#timer);
    saveHandover({ ui: useAppState.getState().ui, changed: [...this.#changed] });
    // Without a previous read, saving would overwrite unknown values.
    if (this.#changed.size === 0 || !this.#known) return;
    void this.#write([...this.#changed]);
  };

  // Another window may have saved since, so merge only the changed values into the stored state. If
  // the file can't be read, for example because it has a newer version, nothing is saved.
  async #save(): Promise<void> {
    if (await this.read()) await this.#write([...this.#changed]);
  }

  async #write(names: string[]): Promise<void> {
    const { ui } = useAppState.getState();
    for (const name of names) this.#changed.delete(name);
    try {
      await this.#backend.call("app_state_save", { ui });
    } catch {
      for (const name of names) this.#changed.add(name);
    }
  }

  #share(stored: Ui): void {
    const { ui } = useAppState.getState();
    const news = shared.filter((name) => !this.#changed.has(name) && !same(stored[name], ui[name]));
    if (news.length === 0) return;
    const theirs = news.map((name) => [name, stored[name]]);
    useAppState.setState({ ui: { ...ui, ...Object.fromEntries(theirs) } });
  }

  #over(stored: Ui, now: Ui): Ui {
    const mine = [...this.#changed].map((name) => [name, now[name]]);
    return { ...stored, ...Object.fromEntries(mine) };
  }
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
