import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import type { PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { localCommandFor } from "@/commands/localCommands";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { FileDropZone } from "@/components/FileDropZone";
import { isPageRoot } from "@/components/isPageRoot";
import { homeFromDataDirectory } from "@/components/shortenPath";
import { useWaitingRuns } from "@/pending/useWaitingRuns";
import { DeleteDialog } from "@/plan/DeleteDialog";
import { OpenProposals } from "@/planner/OpenProposals";
import { useAppState } from "@/shell/appState";
import { useEnrichmentChange, useStarredPlans } from "@/shell/enrichments";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { BlueprintCards } from "./BlueprintCards";
import { BlueprintTable } from "./BlueprintTable";
import { FirstSteps } from "./FirstSteps";
import { filterAndSortPlans, isArchived, type ListFacts } from "./filterAndSort";
import { firstExample } from "./gettingStarted";
import { importDropHint } from "./importPlanFiles";
import { ListSkeleton } from "./ListSkeleton";
import { ListToolbar } from "./ListToolbar";
import { ListContext } from "./listContext";
import { useListView } from "./listView";
import { NoBlueprints } from "./NoBlueprints";
import { createPlanActions, type PlanConfirmation } from "./planActions";
import { RecentlyDeleted } from "./RecentlyDeleted";
import { RunDialog } from "./RunDialog";
import { useImportPlanFiles } from "./useImportPlanFiles";

const none: PlanSummary[] = [];

/** All blueprints on this machine, with the state of their last runs. */
export function BlueprintsPage(): ReactElement {
  const plans = useOperation("plans_list", {});
  const waitingRuns = useWaitingRuns();
  const starred = useStarredPlans();
  const facts = useMemo(() => ({ waitingRuns, starred }), [waitingRuns, starred]);
  const view = useListView();
  const search = useRef<HTMLInputElement>(null);
  const { take, pick } = useImportPlanFiles();
  const shown = useMemo(
    () => filterAndSortPlans(plans.data ?? none, view, facts),
    [plans.data, view, facts],
  );
  const example = firstExample(plans.data ?? none);
  useListKeys(search);

  return (
    <>
      <PageHeader
        title="Blueprints"
        actions={
          <>
            <RecentlyDeleted />
            <Button onClick={() => void pick()}>Import</Button>
            <ButtonLink kind="primary" to={paths.newBlueprint}>
              New blueprint
            </ButtonLink>
          </>
        }
        toolbar={
          plans.data &&
          plans.data.length > 0 && (
            <ListToolbar plans={plans.data} facts={facts} shown={shown.length} searchRef={search} />
          )
        }
      />
      <FileDropZone message={importDropHint} onFiles={take} />
      <ProposalsAbove />
      {plans.isPending ? (
        <ListSkeleton />
      ) : plans.data === undefined ? (
        <ErrorState
          title="Couldn't load the blueprints"
          detail={plans.error.code}
          onRetry={() => void plans.refetch()}
          retrying={plans.isFetching}
        >
          {plans.error.message}
        </ErrorState>
      ) : plans.data.length === 0 ? (
        <NoBlueprints onImport={() => void pick()} />
      ) : (
        <>
          {example && <FirstSteps example={example} />}
          <List plans={shown} facts={facts} allArchived={plans.data.every(isArchived)} />
        </>
      )}
    </>
  );
}

/** Open proposals, above the list. */
function ProposalsAbove(): ReactElement {
  return (
    <div className="shrink-0 px-4 pt-3 pb-2 empty:hidden">
      <OpenProposals />
    </div>
  );
}

/** The matching blueprints, and the dialogs that confirm an action. */
function List({
  plans,
  facts,
  allArchived,
}: {
  plans: PlanSummary[];
  facts: ListFacts;
  allArchived: boolean;
}): ReactElement {
  const backend = useBackend();
  const navigate = useNavigate();
  const { shape, filter, setSearch, setFilter } = useListView();
  const [question, ask] = useState<PlanConfirmation>();
  const about = useOperation("about", {});
  const home = homeFromDataDirectory(about.data?.dataDirectory);
  const note = useEnrichmentChange();
  const lastOpened = useAppState(({ ui }) => ui.activePlan);
  const actions = useMemo(
    () => createPlanActions({ backend, navigate, ask, note }),
    [backend, navigate, note],
  );
  const surroundings = useMemo(
    () => ({
      actions,
      ...facts,
      home,
      lastOpened: typeof lastOpened === "string" ? lastOpened : undefined,
    }),
    [actions, facts, home, lastOpened],
  );
  const close = useCallback(() => ask(undefined), []);

  return (
    <ListContext value={surroundings}>
      {plans.length === 0 && allArchived && filter === undefined ? (
        <EmptyState
          title="All blueprints are archived"
          actions={<Button onClick={() => setFilter("archived")}>Show archived</Button>}
        >
          Archived blueprints are hidden from this list. They keep their runs.
        </EmptyState>
      ) : plans.length === 0 ? (
        <EmptyState
          title="No matches"
          actions={
            <Button
              onClick={() => {
                setSearch("");
                setFilter(undefined);
              }}
            >
              Clear filters
            </Button>
          }
        >
          No blueprint matches this search and filter.
        </EmptyState>
      ) : shape === "cards" ? (
        <BlueprintCards plans={plans} />
      ) : (
        <BlueprintTable plans={plans} />
      )}
      {question?.kind === "delete" && (
        <DeleteDialog
          plan={question.plan}
          onClose={close}
          onDelete={() => actions.remove(question.plan)}
        />
      )}
      {question?.kind === "run" && (
        <RunDialog
          view={question.view}
          preflight={question.preflight}
          changes={question.changes}
          onClose={close}
          onConfirm={() => actions.confirmRun(question.view, question.preflight)}
          onCheckAgain={() => actions.checkAgain(question.view)}
          onShow={navigate}
        />
      )}
    </ListContext>
  );
}

/** A key focuses the search and an arrow key the list, unless the focused element uses that key. */
function useListKeys(search: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const target = event.target as HTMLElement | null;
      const elsewhere = target?.closest("input, textarea, [contenteditable], [role*=dialog]");
      if (localCommandFor("plans", event) === "plans_search" && !elsewhere) {
        event.preventDefault();
        search.current?.select();
        search.current?.focus();
      } else if (
        event.key.startsWith("Arrow") &&
        (isPageRoot(target) || target?.closest("section"))
      ) {
        event.preventDefault();
        document.getElementById("blueprints")?.focus();
      }
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [search]);
}
