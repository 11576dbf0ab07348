import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef } from "react";
import type { NodeId, Plan } from "@/api/bindings";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { useEditor } from "@/blueprint/editor";
import { countWords } from "@/blueprint/edits";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Menu } from "@/components/Menu";
import { kindOffers } from "@/graph/nodeKinds";
import { runsByNode } from "@/graph/toFlow";
import { indentOf, levelsOf } from "./levels";
import { OutlineHead, OutlineRow } from "./OutlineRow";
import { RowMenu } from "./RowMenu";
import { shifted } from "./reorder";
import { useRowChoice } from "./useRowChoice";
import { useRowDrag, useRowHeight } from "./useRowDrag";

/**
 * The nodes as a list in their own order, which is that of the plan file; indented by what they wait for. Rows out of
 * sight are not drawn.
 */
export function Outline(): ReactElement {
  const plan = useEditor((state) => state.plan);
  const run = useEditor((state) => state.run);
  const selection = useEditor((state) => state.selection);
  const scroll = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { gap, begin } = useRowDrag(body, scroll);
  const rowHeight = useRowHeight();
  const { editor } = useBlueprint();
  const choose = useRowChoice(() => editor.getState().plan.nodes.map(({ id }) => id));
  const rows = useVirtualizer({
    count: plan.nodes.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows do not notice that their height has changed
  useEffect(() => rows.measure(), [rows, rowHeight]);
  const keys = useRowKeys((at) => rows.scrollToIndex(at));
  const runs = runsByNode(run);
  const levels = levelsOf(plan);
  const groups = useMemo(
    () => new Map(plan.groups.flatMap(({ title, nodes }) => nodes.map((id) => [id, title]))),
    [plan.groups],
  );

  return (
    <div className="@container flex min-h-0 flex-1 flex-col bg-surface">
      <OutlineHead />
      <div ref={scroll} data-keys="nodes" className="min-h-0 flex-1 overflow-auto outline-none">
        {plan.nodes.length === 0 ? (
          <EmptyState title="No nodes yet" actions={<AddRow />}>
            Add the first one here, or in the graph. The list shows the nodes in the order of the
            plan file.
          </EmptyState>
        ) : (
          <>
            <RowMenu>
              <div
                ref={body}
                data-keys="nodes"
                role="listbox"
                aria-label="Nodes of the plan"
                aria-multiselectable="true"
                onKeyDown={keys}
                className="relative"
                style={{ height: rows.getTotalSize() }}
              >
                {rows.getVirtualItems().map(({ index, start }) => {
                  const node = plan.nodes[index];
                  return (
                    node && (
                      <OutlineRow
                        key={node.id}
                        node={node}
                        index={index}
                        top={start}
                        height={rowHeight}
                        run={runs.get(node.id)}
                        indent={indentOf(levels, node.id)}
                        group={groups.get(node.id)}
                        selected={selection.has(node.id)}
                        onChoose={choose}
                        onGrab={begin}
                      />
                    )
                  );
                })}
                {gap !== undefined && (
                  <div
                    style={{ top: gap * rowHeight - 1 }}
                    className="pointer-events-none absolute inset-x-0 h-0.5 bg-accent"
                  />
                )}
              </div>
            </RowMenu>
            <div className="p-2 pl-3">
              <AddRow />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

function AddRow(): ReactElement {
  const { edit } = useBlueprint();
  return (
    <Menu
      entries={kindOffers.map((offer) => ({
        kind: "act",
        label: offer.title,
        onSelect: () => edit.add(offer.kind),
      }))}
    >
      <Button size="small" kind="ghost">
        <Plus />
        Add node
      </Button>
    </Menu>
  );
}

/** What came of moving rows: where they are now, or why they stay. */
function shiftWords(before: Plan, after: Plan, moved: ReadonlySet<NodeId>, by: 1 | -1): string {
  const what = countWords(moved.size, "node");
  if (after === before)
    return by === -1 ? `${what} at the beginning already` : `${what} at the end already`;
  const place = after.nodes.findIndex(({ id }) => moved.has(id)) + 1;
  return `${what} moved to place ${place} of ${after.nodes.length}; what depends on what stays`;
}

/** Up and Down choose a row, with Alt they move it. The other keys are those of the page. */
function useRowKeys(showRow: (index: number) => void) {
  const { editor, page } = useBlueprint();
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if ((event.target as Element).matches("input")) return;
    event.preventDefault();
    event.stopPropagation();
    const by = event.key === "ArrowUp" ? -1 : 1;
    const { plan, selection, select, edit } = editor.getState();
    if (event.altKey) {
      const moved = shifted(plan, selection, by);
      page.setState({ announcement: shiftWords(plan, moved, selection, by) });
      edit(`Reorder ${countWords(selection.size, "node")}`, () => moved);
      const first = [...selection][0];
      if (first) focusRow(first, showRow);
      return;
    }
    const last = [...selection].at(-1);
    const at = plan.nodes.findIndex((node) => node.id === last);
    const next = plan.nodes[Math.min(plan.nodes.length - 1, Math.max(0, at + by))];
    if (!next) return;
    select([next.id]);
    focusRow(next.id, showRow);
  };

  function focusRow(id: NodeId, show: (index: number) => void) {
    show(editor.getState().plan.nodes.findIndex((node) => node.id === id));
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus(),
    );
  }
}
