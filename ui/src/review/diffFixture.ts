import type { DiffHunk, FileDiffView, NodeDiffView } from "@/api/bindings";

/** A changed file for tests. Its lines begin with their signs. */
export function fileDiff(
  path: string,
  lines: string[],
  more: Partial<FileDiffView> = {},
  start = 1,
): FileDiffView {
  const hunks: DiffHunk[] = [{ oldStart: start, newStart: start, lines }];
  return {
    delta: {
      path,
      change: "changed",
      from: null,
      added: lines.filter((line) => line.startsWith("+")).length,
      removed: lines.filter((line) => line.startsWith("-")).length,
    },
    oldMode: "100644",
    newMode: "100644",
    shared: false,
    content: { kind: "hunks", hunks },
    ...more,
  };
}

/** The changes of a node for tests. */
export function nodeDiff(files: FileDiffView[], more: Partial<NodeDiffView> = {}): NodeDiffView {
  return {
    attempt: 1,
    session: "session-1",
    basis: "worktree",
    base: "b".repeat(40),
    head: "1".repeat(40),
    committed: true,
    root: "/tree",
    files,
    filesLeftOut: 0,
    beside: [],
    ...more,
  };
}
