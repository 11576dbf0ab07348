import { expect, test } from "vitest";
import type { Freshness } from "@/api/bindings";
import { freshnessSentences } from "./freshnessText";

const fresh: Freshness = {
  stale: false,
  base: { version: 2, current: 2 },
  project: {
    kind: "compared",
    commit: "0123456789abcdef",
    place: "checked_out",
    newCommits: 0,
    namedFiles: [],
    otherFiles: 3,
  },
  missingAgents: [],
};

test("says nothing about a fresh proposal", () => {
  expect(freshnessSentences(fresh)).toEqual([]);
  expect(freshnessSentences({ ...fresh, base: null, project: { kind: "unknown" } })).toEqual([]);
});

test("names what has changed", () => {
  const files = Array.from({ length: 12 }, (_, index) => `src/${index}.rs`);
  const sentences = freshnessSentences({
    stale: true,
    base: { version: 2, current: 3 },
    project: {
      kind: "compared",
      commit: "0123456789abcdef",
      place: "in_history",
      newCommits: 2,
      namedFiles: files,
      otherFiles: 0,
    },
    missingAgents: ["claude", "codex"],
  });
  expect(sentences).toEqual([
    "It is for version 2; the blueprint is at version 3",
    "2 new commits since 0123456",
    expect.stringMatching(/^Files that it names have changed: src\/0\.rs, .* and 2 more$/),
    "No longer installed: claude and codex",
  ]);
});

test("says that a commit or a directory is gone", () => {
  const gone = freshnessSentences({
    ...fresh,
    base: { version: 2, current: null },
    project: {
      kind: "compared",
      commit: "0123456789abcdef",
      place: "gone",
      newCommits: 0,
      namedFiles: [],
      otherFiles: 0,
    },
  });
  expect(gone).toEqual([
    "The blueprint that it changes was deleted",
    "The commit 0123456 no longer exists in the repository",
  ]);
  expect(freshnessSentences({ ...fresh, project: { kind: "removed" } })).toEqual([
    "The directory is no longer in a git repository, or was deleted",
  ]);
});
