import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Star } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useListCursor } from "@/commands/useListCursor";
import { classes } from "@/components/classes";
import { ContextualMenu } from "@/components/Menu";
import { Table, TableHead } from "@/components/Table";
import { useTextScale } from "@/design/textScale";
import { BlueprintRow } from "./BlueprintRow";
import { nextSort } from "./filterAndSort";
import { useListContext } from "./listContext";
import { useListView } from "./listView";
import { planColumns } from "./planColumns";
import { planMenu } from "./planMenu";

const rowUnits = 28;

/** The blueprints as a table. Only visible rows are rendered, so the list may have thousands. */
export function BlueprintTable({ plans }: { plans: readonly PlanSummary[] }): ReactElement {
  const { actions, starred } = useListContext();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = rowUnits * useTextScale();
  const rows = useVirtualizer({
    count: plans.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // The header is above the first row and covers none of the others.
    scrollPaddingEnd: rowHeight,
    overscan: 12,
  });
  const cursor = useListCursor({
    ids: plans.map(({ id }) => id),
    page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
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
  const drawn = rows.getVirtualItems();
  const above = drawn[0]?.start ?? 0;
  const below = rows.getTotalSize() - (drawn.at(-1)?.end ?? 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed row height needs a new measurement
  useEffect(() => rows.measure(), [rows, rowHeight]);
  useEffect(() => {
    if (cursor.at >= 0) rows.scrollToIndex(cursor.at, { align: "auto" });
  }, [cursor.at, rows]);

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto">
      <ContextualMenu entries={current ? planMenu(current, actions, starred.has(current.id)) : []}>
        <Table
          role="grid"
          id="blueprints"
          aria-label="Blueprints"
          aria-rowcount={plans.length + 1}
          aria-activedescendant={current && `blueprint-${current.id}`}
          tabIndex={0}
          onKeyDown={cursor.onKeyDown}
          onFocus={cursor.onFocus}
          className="min-w-80 @min-[32rem]:min-w-110 @min-[48rem]:min-w-235 focus-visible:outline-none"
        >
          <thead>
            <tr>
              <StarHead />
              {planColumns.map((column) => (
                <SortHead key={column.id} {...column} />
              ))}
              <TableHead className="w-9" aria-label="More actions" />
            </tr>
          </thead>
          <tbody>
            <Spacer height={above} />
            {drawn.map(({ index }) => {
              const plan = plans[index];
              return (
                plan && (
                  <BlueprintRow
                    key={plan.id}
                    plan={plan}
                    at={index}
                    current={index === cursor.at}
                    onPoint={cursor.moveTo}
                  />
                )
              );
            })}
            <Spacer height={below} />
          </tbody>
        </Table>
      </ContextualMenu>
    </div>
  );
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height }: { height: number }): ReactElement | null {
  if (height <= 0) return null;
  return (
    <tr>
      {/* One cell only: spanning a column that a narrow window hides would bring its space back. */}
      <td style={{ height }} />
    </tr>
  );
}

/** The header of the star column, which sorts starred blueprints first. */
function StarHead(): ReactElement {
  const { sort, setSort } = useListView();
  const first = sort?.column === "starred";
  const label = first ? "Sort by latest change" : "Sort starred first";
  return (
    <TableHead {...(first && { sorted: "ascending" })} className="w-10">
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setSort(nextSort(sort, "starred"))}
        className={classes(
          "-mx-1 inline-flex h-6 items-center rounded-small px-1 align-middle hover:text-fg",
          first && "text-fg",
        )}
      >
        <Star className={classes("size-3.5", first && "fill-current")} aria-hidden="true" />
      </button>
    </TableHead>
  );
}

function SortHead({ id, label, className }: (typeof planColumns)[number]): ReactElement {
  const { sort, setSort } = useListView();
  const direction = sort?.column === id ? sort.direction : undefined;
  return (
    <TableHead {...(direction && { sorted: direction })} className={className}>
      <button
        type="button"
        onClick={() => setSort(nextSort(sort, id))}
        className={classes(
          "-mx-1 inline-flex h-6 items-center gap-1 rounded-small px-1 hover:text-fg",
          direction && "text-fg",
        )}
      >
        {label}
        {direction === "ascending" && <ArrowUp className="size-3" aria-hidden="true" />}
        {direction === "descending" && <ArrowDown className="size-3" aria-hidden="true" />}
      </button>
    </TableHead>
  );
}
