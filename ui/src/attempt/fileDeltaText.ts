import type { FileDeltaKind, FileDeltaView, OverlapProof, WorkLocation } from "@/api/bindings";

/** The status letters that git uses. */
export const deltaLetters: Record<FileDeltaKind, string> = {
  created: "A",
  changed: "M",
  deleted: "D",
  renamed: "R",
};

/** How certain it is that both nodes changed the file. */
export const overlapProofLabels: Record<OverlapProof, string> = {
  apart: "each in its own worktree",
  both_say: "in the same directory at the same time; both report the change",
  same_time: "in the same directory; unclear which one made the change",
};

/** Describes where the work of a node is. */
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

/** Returns the total number of added and removed lines. Binary files count as 0. */
export function sumChangedLines(files: readonly FileDeltaView[]): {
  added: number;
  removed: number;
} {
  const sum = (pick: (file: FileDeltaView) => number | null) =>
    files.reduce((total, file) => total + (pick(file) ?? 0), 0);
  return { added: sum((file) => file.added), removed: sum((file) => file.removed) };
}
