import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useRef, useState } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useListCursor } from "@/commands/useListCursor";
import { ContextualMenu } from "@/components/Menu";
import { useTextScale } from "@/design/textScale";
import { BlueprintCard } from "./BlueprintCard";
import { useListContext } from "./listContext";
import { planMenu } from "./planMenu";

const lineUnits = 252;
const narrowestUnits = 290;

/** The blueprints as a grid of cards that adapts to the width. Only visible rows are rendered. */
export function BlueprintCards({ plans }: { plans: readonly PlanSummary[] }): ReactElement {
  const { actions, starred } = useListContext();
  const scroller = useRef<HTMLDivElement>(null);
  const unit = useTextScale();
  const lineHeight = lineUnits * unit;
  const columns = useColumns(scroller, narrowestUnits * unit);
  const lines = useVirtualizer({
    count: Math.ceil(plans.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 3,
  });
  const cursor = useListCursor({
    ids: plans.map(({ id }) => id),
    columns,
    page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight)),
    scope: "plans",
    next: "plans_next",
    previous: "plans_previous",
    acts: {
      plans_open: (at) => plans[at] && actions.open(plans[at]),
      plans_delete: (at) => plans[at] && actions.askDelete(plans[at]),
      plans_star: (at) => plans[at] && actions.star(plans[at], !starred.has(plans[at].id)),
    },
  });
  const current = plans[cursor.at];

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed row height needs a new measurement
  useEffect(() => lines.measure(), [lines, lineHeight]);
  useEffect(() => {
    if (cursor.at >= 0) lines.scrollToIndex(Math.floor(cursor.at / columns), { align: "auto" });
  }, [cursor.at, columns, lines]);

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto bg-canvas">
      <ContextualMenu entries={current ? planMenu(current, actions, starred.has(current.id)) : []}>
        {/* biome-ignore lint/a11y/useSemanticElements: cards wrap with the width, a table cannot */}
        <div
          role="grid"
          id="blueprints"
          aria-label="Blueprints"
          aria-rowcount={lines.options.count}
          aria-activedescendant={current && `blueprint-${current.id}`}
          tabIndex={0}
          onKeyDown={cursor.onKeyDown}
          onFocus={cursor.onFocus}
          style={{ height: lines.getTotalSize() + 16 }}
          className="relative focus-visible:outline-none"
        >
          {lines.getVirtualItems().map(({ index, start }) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              role="row"
              key={index}
              aria-rowindex={index + 1}
              style={{
                height: lineHeight,
                transform: `translateY(${start}px)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              }}
              className="absolute inset-x-4 top-0 grid gap-3 pt-3"
            >
              {plans.slice(index * columns, (index + 1) * columns).map((plan) => (
                <BlueprintCard
                  key={plan.id}
                  plan={plan}
                  current={plan.id === current?.id}
                  onPoint={cursor.moveTo}
                />
              ))}
            </div>
          ))}
        </div>
      </ContextualMenu>
    </div>
  );
}

/** Returns how many cards fit side by side. */
function useColumns(place: React.RefObject<HTMLElement | null>, narrowest: number): number {
  const [columns, setColumns] = useState(3);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setColumns(Math.max(1, Math.floor(element.clientWidth / narrowest))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, narrowest]);
  return columns;
}
