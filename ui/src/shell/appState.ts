import { create } from "zustand";
import type { Backend, BackendEvent } from "@/api/Backend";
import type { AppState } from "@/api/bindings";
import { saveHandover, takeHandover } from "./appStateHandover";

/** How long a change may stay unsaved, in milliseconds: a panel that is dragged changes with every frame. */
const saveDelayMs = 500;

/**
 * What every window follows at once when one of them changes it. The rest is a matter of each window while it is open:
 * nobody wants a panel to close because it was closed elsewhere.
 */
const shared = ["keys"];

type Ui = AppState["ui"];
type Caller = Pick<Backend, "call">;

/**
 * How this person's window looks: active blueprint, views, sizes, orders (`app-state.json`). One copy in
 * memory that everything reads at once; what changes is saved a moment later. Values come from a file, so whoever reads
 * one judges it. The theme is a setting and not kept here; its copy in the storage of the browser exists because it has
 * to be known before the first paint, when no backend has answered yet.
 */
export const useAppState = create<{ ui: Ui }>(() => ({ ui: {} }));

/** What was remembered under a name, or `undefined`. */
export function getAppStateValue(name: string): unknown {
  return useAppState.getState().ui[name];
}

let saver: Saver | undefined;

/** Remembers a value under a name; saves it when a backend was opened. */
export function setAppStateValue(name: string, value: unknown): void {
  const { ui } = useAppState.getState();
  if (same(ui[name], value)) return;
  useAppState.setState({ ui: { ...ui, [name]: value } });
  saver?.markChanged(name);
}

/**
 * Reads the state once and saves it from then on, until the returned function is called. A backend that does not
 * answer in time, or refuses, leaves the window as on its first day; this is never an error to the person.
 */
export async function openAppState(backend: Caller, patience = 1_000): Promise<() => void> {
  const mine = new Saver(backend);
  saver?.close();
  saver = mine;
  window.addEventListener("pagehide", mine.leave);
  await Promise.race([mine.read(), new Promise((resolve) => setTimeout(resolve, patience))]);
  return () => mine.close();
}

/** Takes over what other windows change and all of them follow, until the returned function is called. */
export function followAppState(backend: Pick<Backend, "events">): () => void {
  return backend.events((signal: BackendEvent) => {
    const told =
      signal.kind === "gap" || signal.event.change === "app_state" || signal.event.change === "all";
    if (told) void saver?.follow();
  });
}

/** Everything forgotten and nothing saved, as before the first window; for tests. */
export function resetAppState(): void {
  saver?.close();
  takeHandover();
  useAppState.setState({ ui: {} });
}

/** Where `react-resizable-panels` keeps layouts. */
export const layoutStorage = {
  getItem(key: string): string | null {
    const value = getAppStateValue(key);
    return typeof value === "string" ? value : null;
  },
  setItem: setAppStateValue,
};

/** Carries what changed to the backend. */
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

  /** Takes over what is stored, except what changed here since. Answers whether it could be read. */
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

  /** Reads what all windows share, once more if it changes meanwhile. */
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
        // The next save reads it again, and leaves alone what cannot be read.
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

  /** The page goes away: there is time for one request, none to read first. */
  readonly leave = (): void => {
    clearTimeout(this.#timer);
    saveHandover({ ui: useAppState.getState().ui, changed: [...this.#changed] });
    // What was never read would be written over.
    if (this.#changed.size === 0 || !this.#known) return;
    void this.#write([...this.#changed]);
  };

  // Another window may have saved since: only what changed here is put over what is stored. A file that cannot be
  // read, of a newer version for instance, is left alone.
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
