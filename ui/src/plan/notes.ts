import type { Color, Node, NodeId, NoteSize, Plan } from "@/api/bindings";
import { changeNode } from "./edits";
import { grid } from "./geometry";

/** Edits of notes as pure functions. Other nodes are left unchanged. */

/** The allowed sizes of a note, the same as for `NoteSize` in Rust. */
const widths = [80, 2000] as const;
const heights = [48, 2000] as const;

/** The nearest allowed size on the grid. */
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

export function colorNote(plan: Plan, id: NodeId, color: Color): Plan {
  return changeNote(plan, id, { color });
}

type NoteKind = Extract<Node["kind"], { kind: "note" }>;

function changeNote(plan: Plan, id: NodeId, change: Partial<NoteKind>): Plan {
  return changeNode(plan, id, (node) => {
    if (node.kind.kind !== "note") return node;
    const kind = { ...node.kind, ...change };
    return JSON.stringify(kind) === JSON.stringify(node.kind) ? node : { ...node, kind };
  });
}
