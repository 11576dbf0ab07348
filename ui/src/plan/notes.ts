import type { Color, Node, NodeId, NoteSize, Plan } from "@/api/bindings";
import { changeNode } from "./edits";
import { grid } from "./geometry";

/** Changes of notes as pure functions. What is no note stays as it is. */

/** The sizes that a note may have, as `NoteSize` in Rust has them. */
const widths = [80, 2000] as const;
const heights = [48, 2000] as const;

/** The nearest size that a note may have, on the grid. */
export function fittingNoteSize({ width, height }: NoteSize): NoteSize {
  return { width: fitting(width, widths), height: fitting(height, heights) };
}

function fitting(length: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, Math.round(length / grid) * grid));
}

export function writeNote(plan: Plan, id: NodeId, text: string): Plan {
  return changeNote(plan, id, { text });
}

export function resizeNote(plan: Plan, id: NodeId, size: NoteSize): Plan {
  return changeNote(plan, id, { size: fittingNoteSize(size) });
}

export function colorNote(plan: Plan, id: NodeId, colour: Color): Plan {
  return changeNote(plan, id, { colour });
}

type NoteKind = Extract<Node["kind"], { kind: "note" }>;

function changeNote(plan: Plan, id: NodeId, change: Partial<NoteKind>): Plan {
  return changeNode(plan, id, (node) => {
    if (node.kind.kind !== "note") return node;
    const kind = { ...node.kind, ...change };
    return JSON.stringify(kind) === JSON.stringify(node.kind) ? node : { ...node, kind };
  });
}
