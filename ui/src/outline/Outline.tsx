import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useRef } from "react";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Menu } from "@/components/Menu";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { kindOffers } from "@/plan/nodeKinds";
import { RowMenu } from "@/plan/RowMenu";
import { useRowSelection } from "@/plan/useRowSelection";
import { runsByNode } from "@/run/runsByNode";
import { computeLevels, indentOf, numberNodes } from "./levels";
import { OutlineHeader, OutlineRow } from "./OutlineRow";
import { useRowDrag, useRowHeight } from "./useRowDrag";
import { useRowFocus } from "./useRowFocus";
import { useRowKeys } from "./useRowKeys";

/**
 * The nodes as a list in plan-file order, indented by their dependencies. Only visible rows are
 * rendered.
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
  const choose = useRowSelection(() => editor.getState().plan.nodes.map(({ id }) => id));
  const rows = useVirtualizer({
    count: plan.nodes.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: remeasure when the row height changes
  useEffect(() => rows.measure(), [rows, rowHeight]);
  const keys = useRowKeys((at) => rows.scrollToIndex(at));
  useRowFocus(scroll, plan.nodes.length);
  // A command may select a node that is out of view.
  useEffect(() => {
    const [only] = selection.size === 1 ? selection : [];
    const at = editor.getState().plan.nodes.findIndex(({ id }) => id === only);
    if (at >= 0) rows.scrollToIndex(at);
  }, [editor, rows, selection]);
  const runs = runsByNode(run);
  const levels = computeLevels(plan);
  const numbers = numberNodes(plan);
  const groups = useMemo(
    () => new Map(plan.groups.flatMap(({ title, nodes }) => nodes.map((id) => [id, title]))),
    [plan.groups],
  );

  return (
    <div className="@container flex min-h-0 flex-1 flex-col bg-surface">
      <OutlineHeader />
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
                aria-label="Blueprint nodes"
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
                        number={numbers.get(node.id)}
                        top={start}
                        height={rowHeight}
                        run={runs.get(node.id)}
                        indent={indentOf(levels, node.id)}
                        of={plan.nodes.length}
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
