import { beforeEach, expect, test } from "vitest";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import { type PaletteEntry, sourceEntries, withRecent } from "./paletteEntries";
import { defaultSections } from "./paletteSections";
import type { PaletteSource } from "./paletteSources";
import {
  recentEntryIds,
  recentPagesOf,
  recordRecentEntry,
  recordRecentPage,
  setShownPages,
} from "./recentEntries";

beforeEach(() => {
  resetAppState();
  setShownPages([]);
});

const page = (id: string, label = `Title of ${id}`) => ({
  id: `Blueprints:${id}`,
  label,
  address: `/blueprints/${id}`,
});
const run = () => undefined;
const choice = (id: string) => ({ id, label: `Title of ${id}`, run });
const source = (facts: Partial<PaletteSource> = {}): PaletteSource => ({
  title: "Blueprints",
  entries: () => [],
  recent: () =>
    recentPagesOf("Blueprints").map(({ id, label }) => ({
      ...{ id: id.slice("Blueprints:".length), label, run },
    })),
  isComplete: true,
  ...facts,
});
const recentOf = (entries: readonly PaletteEntry[]) =>
  defaultSections(withRecent(entries)).sections[0]?.entries.map(({ id }) => id);

test("the latest is first, each is kept once, and the number is bounded", () => {
  for (let at = 0; at < 40; at += 1) recordRecentEntry(`command:${at}`);
  recordRecentPage(page("a"));
  recordRecentEntry("command:39");
  expect(recentEntryIds().slice(0, 3)).toEqual(["command:39", "Blueprints:a", "command:38"]);
  expect(recentEntryIds()).toHaveLength(30);
});

test("a page that is chosen again keeps its row, and a renamed one gets a new one", () => {
  recordRecentPage(page("a"));
  recordRecentPage(page("b"));
  recordRecentEntry("Blueprints:a");
  expect(recentPagesOf("Blueprints").map(({ label }) => label)).toEqual([
    "Title of a",
    "Title of b",
  ]);
  recordRecentPage(page("a", "Renamed"));
  expect(recentPagesOf("Blueprints")[0]).toEqual(page("a", "Renamed"));
});

test.each([
  ["nothing", undefined],
  ["another type", { a: 1 }],
  ["entries of another version", [7, null, { id: "Blueprints:x" }, { id: 1, label: "x" }]],
])("ignores %s in the file", (_, stored) => {
  setAppStateValue("recentEntries", stored);
  expect(recentEntryIds()).toEqual([]);
  recordRecentEntry("command:run");
  expect(getAppStateValue("recentEntries")).toEqual(["command:run"]);
});

test("recent pages are at the top before and after their list is loaded", () => {
  recordRecentPage(page("b"));
  recordRecentPage(page("a"));
  const before = sourceEntries(source(), undefined);
  expect(recentOf(before)).toEqual(["Blueprints:a", "Blueprints:b"]);
  const after = sourceEntries(source(), [choice("c"), choice("b"), choice("a")]);
  expect(recentOf(after)).toEqual(["Blueprints:a", "Blueprints:b"]);
});

test("rows don't move to the top when their list is loaded", () => {
  recordRecentEntry("Nodes:n");
  const nodes = source({ title: "Nodes", recent: () => [] });
  expect(recentOf(sourceEntries(nodes, undefined))).toEqual([]);
  const entries = withRecent(sourceEntries(nodes, [choice("n")]));
  expect(recentOf(entries)).toEqual([]);
  expect(entries[0]?.recent, "still ranks the search").toBe(0);
});

test("a deleted blueprint leaves, and an old run that isn't listed stays", () => {
  recordRecentPage(page("gone"));
  expect(sourceEntries(source(), [choice("a")]).map(({ id }) => id)).toEqual(["Blueprints:a"]);
  const { isComplete: _, ...runs } = source();
  expect(sourceEntries(runs, [choice("a")]).map(({ id }) => id)).toEqual([
    "Blueprints:a",
    "Blueprints:gone",
  ]);
});

test("the open page is not among the recent ones", () => {
  recordRecentPage(page("b"));
  recordRecentPage(page("a"));
  setShownPages(["Blueprints:a"]);
  expect(recentOf(sourceEntries(source(), undefined))).toEqual(["Blueprints:b"]);
});
