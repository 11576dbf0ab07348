import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Backend, BackendEvent } from "@/api/Backend";
import {
  followAppState,
  getAppStateValue,
  openAppState,
  resetAppState,
  setAppStateValue,
  useAppState,
} from "./appState";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  resetAppState();
  vi.useRealTimers();
});

/** A stored file that other windows write to as well. */
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

test("restores stored state and debounces saves", async () => {
  const { backend, saved } = disk({ view: "list" });
  await openAppState(backend);
  expect(getAppStateValue("view")).toBe("list");

  setAppStateValue("side", 300);
  await vi.advanceTimersByTimeAsync(400);
  setAppStateValue("side", 320);
  await vi.advanceTimersByTimeAsync(400);
  expect(saved, "it changed again during the delay").toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(saved).toEqual([{ view: "list", side: 320 }]);
});

test("setting the same value does not save", async () => {
  const { backend, saved } = disk({ sort: { column: "title" } });
  await openAppState(backend);
  setAppStateValue("sort", { column: "title" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved).toEqual([]);
});

test("keeps what another window saved in between", async () => {
  const { backend, file, saved } = disk({ view: "graph" });
  await openAppState(backend);
  file.ui = { view: "list" };
  setAppStateValue("side", 300);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved).toEqual([{ view: "list", side: 300 }]);
});

test("saves immediately on pagehide", async () => {
  const { backend, saved } = disk({});
  await openAppState(backend);
  setAppStateValue("view", "list");
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(0);
  expect(saved).toEqual([{ view: "list" }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved, "nothing is left to save").toHaveLength(1);
});

test("a reloaded page gets unsaved changes of the previous page", async () => {
  const { backend, file, saved } = disk({ groups: [], side: 300 });
  await openAppState(backend);
  setAppStateValue("groups", ["a"]);
  // The last save is still in progress when the next page loads.
  const stored = file.ui;
  window.dispatchEvent(new Event("pagehide"));
  file.ui = { ...stored, side: 500 };
  useAppState.setState({ ui: {} });

  await openAppState(backend);
  expect(getAppStateValue("groups")).toEqual(["a"]);
  expect(getAppStateValue("side"), "unchanged values come from the backend").toBe(500);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved.at(-1)).toEqual({ groups: ["a"], side: 500 });
});

test("a reloaded page keeps its state while the backend is slow", async () => {
  const { backend } = disk({ view: "list" });
  await openAppState(backend);
  window.dispatchEvent(new Event("pagehide"));
  useAppState.setState({ ui: {} });
  const opening = openAppState({ call: () => new Promise<never>(() => {}) });
  await vi.advanceTimersByTimeAsync(1_000);
  await opening;
  expect(getAppStateValue("view")).toBe("list");
});

test("an invalid handover is ignored", async () => {
  for (const left of ["{", "7", "{}", '{"ui":null,"changed":[]}', '{"ui":{},"changed":[1]}']) {
    sessionStorage.setItem("baton.appState", left);
    await openAppState(disk({ view: "list" }).backend);
    expect(getAppStateValue("view"), left).toBe("list");
  }
});

test("an unreadable file is never overwritten", async () => {
  const { backend, file, saved } = disk({ view: "list" }, true);
  await openAppState(backend);
  setAppStateValue("side", 300);
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(getAppStateValue("side")).toBe(300);
  expect(saved).toEqual([]);

  file.broken = false;
  setAppStateValue("side", 320);
  await vi.advanceTimersByTimeAsync(600);
  expect(saved, "once it can be read, both are saved together").toEqual([
    { view: "list", side: 320 },
  ]);
});

test("an unresponsive backend does not block startup", async () => {
  const silent = { call: () => new Promise<never>(() => {}) };
  const opening = openAppState(silent);
  await vi.advanceTimersByTimeAsync(1_000);
  await opening;
  expect(getAppStateValue("view")).toBeUndefined();
});

test("shortcuts are shared between windows, panel layouts are not", async () => {
  const { backend, file } = disk({ keys: { version: 1 }, side: 300 });
  const listeners: ((signal: BackendEvent) => void)[] = [];
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
  expect(getAppStateValue("keys")).toEqual({ version: 1, keys: { undo: ["Mod+U"] } });
  expect(getAppStateValue("side")).toBe(300);

  setAppStateValue("keys", { version: 1, keys: { undo: ["Mod+J"] } });
  for (const tell of listeners) tell({ kind: "gap" });
  await vi.advanceTimersByTimeAsync(0);
  expect(getAppStateValue("keys"), "an unsaved local change wins").toEqual({
    version: 1,
    keys: { undo: ["Mod+J"] },
  });
  leave();
});
