import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Backend, Signal } from "@/api/Backend";
import {
  followAppState,
  forgetAppState,
  openAppState,
  remember,
  remembered,
  useAppState,
} from "./appState";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  forgetAppState();
  vi.useRealTimers();
});

/** A file on a disk that other windows write to as well. */
function disk(ui: Record<string, unknown>, broken = false) {
  const file = { ui, broken };
  const saved: Record<string, unknown>[] = [];
  const call = vi.fn(async (name: string, input: { ui?: Record<string, unknown> }) => {
    if (file.broken) throw new Error("damaged");
    if (name === "app_state_save") {
      file.ui = input.ui ?? {};
      saved.push(file.ui);
    }
    return { ui: file.ui };
  });
  return { file, saved, backend: { call: call as unknown as Backend["call"] } };
}

test("what was stored is there after opening, and changes are saved once, when they rest", async () => {
  const { backend, saved } = disk({ view: "list" });
  await openAppState(backend);
  expect(remembered("view")).toBe("list");

  remember("side", 300);
  await vi.advanceTimersByTimeAsync(400);
  remember("side", 320);
  await vi.advanceTimersByTimeAsync(400);
  expect(saved, "it changed again before it rested").toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(saved).toEqual([{ view: "list", side: 320 }]);
});

test("the same value again is no change", async () => {
  const { backend, saved } = disk({ sort: { column: "title" } });
  await openAppState(backend);
  remember("sort", { column: "title" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved).toEqual([]);
});

test("what another window saved in between stays", async () => {
  const { backend, file, saved } = disk({ view: "graph" });
  await openAppState(backend);
  file.ui = { view: "list" };
  remember("side", 300);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved).toEqual([{ view: "list", side: 300 }]);
});

test("the page that goes away saves at once", async () => {
  const { backend, saved } = disk({});
  await openAppState(backend);
  remember("view", "list");
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(0);
  expect(saved).toEqual([{ view: "list" }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved, "nothing is left for later").toHaveLength(1);
});

test("a page that is loaded again has what the one before changed last, before that was stored", async () => {
  const { backend, file, saved } = disk({ groups: [], side: 300 });
  await openAppState(backend);
  remember("groups", ["a"]);
  // The last save is still on its way when the next page reads.
  const stored = file.ui;
  window.dispatchEvent(new Event("pagehide"));
  file.ui = { ...stored, side: 500 };
  useAppState.setState({ ui: {} });

  await openAppState(backend);
  expect(remembered("groups")).toEqual(["a"]);
  expect(remembered("side"), "what did not change here is what is stored").toBe(500);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved.at(-1)).toEqual({ groups: ["a"], side: 500 });
});

test("a page that is loaded again while the backend is slow looks as before", async () => {
  const { backend } = disk({ view: "list" });
  await openAppState(backend);
  window.dispatchEvent(new Event("pagehide"));
  useAppState.setState({ ui: {} });
  const opening = openAppState({ call: () => new Promise<never>(() => {}) });
  await vi.advanceTimersByTimeAsync(1_000);
  await opening;
  expect(remembered("view")).toBe("list");
});

test("what is no state of a page before is passed over", async () => {
  for (const left of ["{", "7", "{}", '{"ui":null,"changed":[]}', '{"ui":{},"changed":[1]}']) {
    sessionStorage.setItem("baton.appState", left);
    await openAppState(disk({ view: "list" }).backend);
    expect(remembered("view"), left).toBe("list");
  }
});

test("a file that cannot be read is never written over, and the window still remembers", async () => {
  const { backend, file, saved } = disk({ view: "list" }, true);
  await openAppState(backend);
  remember("side", 300);
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(remembered("side")).toBe(300);
  expect(saved).toEqual([]);

  file.broken = false;
  remember("side", 320);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved, "once it can be read, both come together").toEqual([{ view: "list", side: 320 }]);
});

test("a backend that does not answer does not keep the window closed", async () => {
  const silent = { call: () => new Promise<never>(() => {}) };
  const opening = openAppState(silent);
  await vi.advanceTimersByTimeAsync(1_000);
  await opening;
  expect(remembered("view")).toBeUndefined();
});

test("keys that another window binds count here at once, and its panels stay its own", async () => {
  const { backend, file } = disk({ keys: { version: 1 }, side: 300 });
  const listeners: ((signal: Signal) => void)[] = [];
  const leave = followAppState({
    events: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  });
  await openAppState(backend);
  file.ui = { keys: { version: 1, keys: { undo: ["Mod+U"] } }, side: 900 };
  for (const tell of listeners) tell({ kind: "event", event: { change: "app_state" } });
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered("keys")).toEqual({ version: 1, keys: { undo: ["Mod+U"] } });
  expect(remembered("side")).toBe(300);

  remember("keys", { version: 1, keys: { undo: ["Mod+J"] } });
  for (const tell of listeners) tell({ kind: "gap" });
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered("keys"), "what was bound here and is not saved yet stays").toEqual({
    version: 1,
    keys: { undo: ["Mod+J"] },
  });
  leave();
});
