// @vitest-environment node
import { expect, test } from "vitest";
import type { VersionChange } from "@/api/bindings";
import { changePhrase, describeVersion, describeVersions } from "./versionText";

test.each<[VersionChange, string]>([
  [{ kind: "restored", version: 3 }, "restored version 3"],
  [{ kind: "plan_renamed", from: "A", to: "" }, "renamed the blueprint to Untitled"],
  [{ kind: "nodes_added", titles: ["A", "B"], count: 2 }, "added A and B"],
  [{ kind: "nodes_added", titles: ["A", "B", "C"], count: 1_003 }, "added A, B, C and 1,000 more"],
  [{ kind: "nodes_removed", titles: [], count: 1 }, "removed 1 node"],
  [{ kind: "node_renamed", from: "Lint", to: "Check\nall" }, "renamed Lint to Check all"],
  [{ kind: "nodes_changed", titles: ["A"], count: 1 }, "changed A"],
  [{ kind: "edges_added", count: 1 }, "added 1 edge"],
  [{ kind: "edges_removed", count: 2 }, "removed 2 edges"],
  [{ kind: "groups_changed" }, "changed the groups"],
  [{ kind: "settings_changed" }, "changed the settings"],
])("%o", (change, phrase) => {
  expect(changePhrase(change)).toBe(phrase);
});

const added = (title: string): VersionChange => ({
  kind: "nodes_added",
  titles: [title],
  count: 1,
});

test("a version lists its changes, the first says that it is the first", () => {
  const changes = [added("Test"), { kind: "settings_changed" } as const];
  expect(describeVersion({ changes }, false)).toBe("Added Test, changed the settings");
  expect(describeVersion({ changes: [] }, true)).toBe("Created the blueprint");
  expect(describeVersion({ changes: [] }, false)).toBe("No change except the layout");
  expect(describeVersion({ changes: null }, false)).toBe("Edited");
});

test("a sitting lists three different changes at most", () => {
  const rows = ["A", "B", "B", "C", "D", "E"].map((title) => ({ changes: [added(title)] }));
  expect(describeVersions(rows)).toBe("Added A, added B, added C and 2 more changes");
  expect(describeVersions(rows.slice(0, 3))).toBe("Added A, added B");
  expect(describeVersions([{ changes: null }, { changes: [] }])).toBe("2 edits");
});
