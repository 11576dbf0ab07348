import { type KeyboardEvent, useEffect, useRef } from "react";
import type { NodeId, Plan } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { useBlueprint } from "@/plan/blueprintContext";
import { focusedNode } from "@/plan/focusedNode";
import { formatChosen } from "@/plan/nodeCounts";
import { moveByOne } from "./reorder";

/**
 * Moves through the rows with Up and Down: with Shift, extends the selection; with Ctrl, moves only
 * the focus; with Alt, moves the selected rows. Other keys are left to the page.
 */
export function useRowKeys(showRow: (index: number) => void) {
  const { editor, page } = useBlueprint();
  const frame = useRef(0);
  const anchor = useRef<NodeId>(undefined);
  /** The row to focus in the next frame; it may have to be rendered first. */
  const aim = useRef<NodeId>(undefined);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if ((event.target as Element).matches("input")) return;
    event.preventDefault();
    event.stopPropagation();
    const by = event.key === "ArrowUp" ? -1 : 1;
    if (event.altKey) return shift(by);
    const { plan, selection, select } = editor.getState();
    const from = aim.current ?? focusedNode() ?? [...selection].at(-1);
    const at = plan.nodes.findIndex((node) => node.id === from);
    const next = plan.nodes[Math.min(plan.nodes.length - 1, Math.max(0, at + by))];
    if (!next) return;
    if (event.shiftKey) {
      anchor.current ??= from ?? next.id;
      select(nodesBetween(plan, anchor.current, next.id));
    } else {
      anchor.current = undefined;
      if (!event.ctrlKey && !event.metaKey) select([next.id]);
    }
    focusRow(next.id);
  };

  function shift(by: 1 | -1) {
    const { plan, selection, edit } = editor.getState();
    const moved = moveByOne(plan, selection, by);
    page.setState({ announcement: moveAnnouncement(plan, moved, selection, by) });
    edit(`Reorder ${formatChosen(plan.nodes, selection)}`, () => moved);
    const first = [...selection][0];
    if (first) focusRow(first);
  }

  function focusRow(id: NodeId) {
    showRow(editor.getState().plan.nodes.findIndex((node) => node.id === id));
    cancelAnimationFrame(frame.current);
    aim.current = id;
    frame.current = requestAnimationFrame(() => {
      aim.current = undefined;
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
    });
  }
}

/** The nodes between two nodes, including both. */
function nodesBetween({ nodes }: Plan, one: NodeId, other: NodeId): NodeId[] {
  const ends = [one, other].map((id) => nodes.findIndex((node) => node.id === id));
  return nodes.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id);
}

/** Announces where rows were moved to, or why they didn't move. */
function moveAnnouncement(
  before: Plan,
  after: Plan,
  moved: ReadonlySet<NodeId>,
  by: 1 | -1,
): string {
  const what = formatChosen(before.nodes, moved);
  if (after === before)
    return by === -1 ? `${what} already at the beginning` : `${what} already at the end`;
  const place = after.nodes.findIndex(({ id }) => moved.has(id)) + 1;
  return `${what} moved to position ${formatNumber(place)} of ${formatNumber(after.nodes.length)}; dependencies are unchanged`;
}
