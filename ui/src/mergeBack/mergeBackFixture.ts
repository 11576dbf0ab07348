import type { AppliedMergeView, FileDeltaView, MergeBackNode, MergeBackView } from "@/api/bindings";

/** A file with one added and one removed line. */
export function deltaOf(path: string, facts: Partial<FileDeltaView> = {}): FileDeltaView {
  return { path, change: "changed", from: null, added: 1, removed: 1, ...facts };
}

/** A node whose work is only in its worktree. */
export function mergeBackNodeOf(
  id: string,
  paths: string[],
  facts: Partial<MergeBackNode> = {},
): MergeBackNode {
  return {
    node: id,
    title: id,
    whereabouts: { place: "nowhere" },
    coming: true,
    files: paths.map((path) => deltaOf(path)),
    filesLeftOut: 0,
    ...facts,
  };
}

/** A view of these nodes without conflicts. */
export function mergeBackViewOf(
  nodes: MergeBackNode[],
  facts: Partial<MergeBackView> = {},
): MergeBackView {
  return {
    root: "/repository",
    nodes,
    outside: nodes.filter(({ whereabouts }) => whereabouts.place === "nowhere").length,
    files: nodes.flatMap(({ node, files }) =>
      files.map((delta) => ({ delta, nodes: [node], combined: false })),
    ),
    filesLeftOut: 0,
    clashes: [],
    inTheWay: [],
    atWork: [],
    open: null,
    openBranch: null,
    solver: null,
    brought: [],
    ...facts,
  };
}

/** A merge into the directory. */
export function appliedMergeOf(
  titles: string[],
  facts: Partial<AppliedMergeView> = {},
): AppliedMergeView {
  return {
    act: titles.join("+"),
    node: null,
    at: 0,
    titles,
    files: [deltaOf("a.txt")],
    filesLeftOut: 0,
    unfinished: false,
    undone: false,
    ...facts,
  };
}
