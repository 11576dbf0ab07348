import type { FileDeltaKind, FileDeltaView, OverlapProof, WorkLocation } from "@/api/bindings";

/** The letter of a change, as git tells it. */
export const deltaLetters: Record<FileDeltaKind, string> = {
  created: "A",
  changed: "M",
  deleted: "D",
  renamed: "R",
};

/** How sure it is that two nodes changed the same file. */
export const overlapProofLabels: Record<OverlapProof, string> = {
  apart: "each in a worktree of its own",
  both_say: "at the same time in one directory; both say so",
  same_time: "it changed while both worked in one directory; whose change it was is not known",
};

/** Where the work of a node is. */
export function describeWorkPlace(place: WorkLocation): string {
  switch (place.place) {
    case "directory":
      return "In your directory";
    case "branch":
      return `On the branch ${place.name}`;
    case "nowhere":
      return "Only in its worktree";
  }
}

/** How many lines came and went in all these files together. */
export function sumChangedLines(files: readonly FileDeltaView[]): {
  added: number;
  removed: number;
} {
  const sum = (pick: (file: FileDeltaView) => number | null) =>
    files.reduce((total, file) => total + (pick(file) ?? 0), 0);
  return { added: sum((file) => file.added), removed: sum((file) => file.removed) };
}
