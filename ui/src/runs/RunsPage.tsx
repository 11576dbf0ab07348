import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { RunsPageRow } from "@/api/bindings";
import { localCommandFor } from "@/commands/localCommands";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { formatCount, formatNumber } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { runNoteHint, runNoteTitle } from "@/plan/runNote";
import { NoteDialog } from "@/shell/NoteDialog";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { RunsTable } from "./RunsTable";
import { RunsToolbar } from "./RunsToolbar";
import {
  defaultRunsQuery,
  isNarrowed,
  parseRunsQuery,
  type RunsQuery,
  runsSearchParams,
} from "./runsQuery";
import { SelectionBar, type SelectionBarHandle } from "./SelectionBar";
import { useRunSelection } from "./useRunSelection";
import { useRunsPage } from "./useRunsPage";

/** The runs of all blueprints, or of one. */
export function RunsPage(): ReactElement {
  const [address, setAddress] = useSearchParams();
  const query = useMemo(() => parseRunsQuery(address), [address]);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const change = useCallback(
    (part: Partial<RunsQuery>) =>
      setAddress((before) => runsSearchParams({ ...parseRunsQuery(before), ...part }), {
        replace: "text" in part,
      }),
    [setAddress],
  );
  const runs = useRunsPage(query);
  useSearchKey(search);
  return (
    <>
      <PageHeader
        title="Runs"
        heading={
          <h1
            ref={heading}
            tabIndex={-1}
            className="min-w-0 truncate font-semibold text-13 focus-visible:outline-none"
          >
            Runs
          </h1>
        }
        actions={
          <span role="status" className="text-12 text-faint tabular-nums">
            {runs.data && !runs.isPlaceholderData && describeCount(runs.total, isNarrowed(query))}
          </span>
        }
        toolbar={
          <RunsToolbar
            query={query}
            onChange={change}
            onShow={(view) => setAddress(runsSearchParams(view))}
            searchField={search}
            onLeaveSearch={() => grid.current?.focus()}
          />
        }
      />
      {runs.data === undefined ? (
        <NotLoaded runs={runs} />
      ) : runs.rows.length > 0 || runs.hasNextPage ? (
        <List key={address.toString()} runs={runs} grid={grid} heading={heading} />
      ) : (
        <NoRuns narrowed={isNarrowed(query)} onClear={() => change(defaultRunsQuery)} />
      )}
    </>
  );
}

function describeCount(total: number, narrowed: boolean): string {
  if (!narrowed) return formatCount(total, "run");
  return total === 1 ? "1 match" : `${formatNumber(total)} matches`;
}

type Runs = ReturnType<typeof useRunsPage>;

function NotLoaded({ runs: { error, refetch, isFetching } }: { runs: Runs }): ReactElement {
  return error ? (
    <ErrorState
      title="Couldn't load the runs"
      detail={error.code}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      {error.message}
    </ErrorState>
  ) : (
    <div role="status" aria-label="Loading runs" className="pt-7">
      {[320, 210, 280, 240].map((width) => (
        <div key={width} className="flex h-7 items-center border-b px-11">
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}

/** The table, and the bar of acts while runs are selected. Another query clears the selection. */
function List({
  runs,
  grid,
  heading,
}: {
  runs: Runs;
  grid: React.RefObject<HTMLDivElement | null>;
  /** Gets the focus once all listed runs are deleted. */
  heading: React.RefObject<HTMLHeadingElement | null>;
}): ReactElement {
  const { rows, total, hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  const navigate = useNavigate();
  const bar = useRef<SelectionBarHandle>(null);
  const { selected, ids, toggle, selectAll, keep, clear } = useRunSelection(rows);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  // The bar is there only once something is selected.
  const [wantsDelete, setWantsDelete] = useState(false);
  useEffect(() => {
    if (!wantsDelete || selected.length === 0) return;
    bar.current?.askDelete();
    setWantsDelete(false);
  }, [wantsDelete, selected.length]);
  const [noted, setNoted] = useState<RunsPageRow>();
  const focusTable = () => (grid.current ?? heading.current)?.focus({ preventScroll: true });

  return (
    <>
      {selected.length > 0 && (
        <SelectionBar
          ref={bar}
          selected={selected}
          onNote={setNoted}
          onClear={clear}
          onKeep={keep}
          focusTable={focusTable}
        />
      )}
      <RunsTable
        {...{ grid, rows, total, onEnd }}
        outdated={runs.isPlaceholderData}
        selected={ids}
        acts={{
          open: (line) => {
            const row = rows[line];
            if (row) void navigate(paths.blueprintAt(row.plan, { run: row.id }));
          },
          select: (line, range) => {
            toggle(line, range);
            // A click on a checkbox would keep the focus there, but the keys work in the list.
            focusTable();
          },
          selectAll,
          deselect: clear,
          remove: (line) => {
            if (selected.length === 0) toggle(line, false);
            setWantsDelete(true);
          },
          note: (line) => setNoted(rows[line]),
        }}
      />
      {noted && (
        <NoteDialog
          subject="run"
          id={noted.id}
          title={runNoteTitle(noted.number, noted.title)}
          hint={runNoteHint}
          onClose={() => setNoted(undefined)}
          focusAfter={() => grid.current}
        />
      )}
    </>
  );
}

function NoRuns({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }): ReactElement {
  return narrowed ? (
    <EmptyState title="No matches" actions={<Button onClick={onClear}>Clear filters</Button>}>
      No run matches this search and these filters.
    </EmptyState>
  ) : (
    <EmptyState
      title="No runs yet"
      actions={<ButtonLink to={paths.blueprints}>Open blueprints</ButtonLink>}
    >
      A run is one execution of a blueprint. Each run appears here with its state, duration and
      cost.
    </EmptyState>
  );
}

/** A key focuses the search, unless the focused element uses it itself. */
function useSearchKey(search: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const target = event.target as HTMLElement | null;
      const isElsewhere = target?.closest("input, textarea, [contenteditable], [role*=dialog]");
      if (isElsewhere || localCommandFor("runs", event) !== "runs_search") return;
      event.preventDefault();
      search.current?.select();
      search.current?.focus();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [search]);
}
