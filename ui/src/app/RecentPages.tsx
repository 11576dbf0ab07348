import { type ReactElement, useEffect } from "react";
import { useLocation } from "react-router";
import { useOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { type RecentPage, recordRecentPage, setShownPages } from "@/commands/recentEntries";
import { displayTitle } from "@/plan/nodeText";
import { sessionTitle } from "@/sessions/sessionText";
import { paths } from "@/shell/paths";

/** Pages load what they show themselves. Here it is only read. */
const loadedElsewhere = { enabled: false } as const;

/**
 * Records opened blueprints, runs and sessions for the palette. A component of its own, because it
 * renders with every change of the open blueprint, and the frame must not.
 */
export function RecentPages(): ReactElement | null {
  const { pathname, search } = useLocation();
  const plan = idAfter("/blueprints/", pathname);
  const session = idAfter("/session/", pathname);
  const run = new URLSearchParams(search).get("run") ?? undefined;
  // Only one of the pages is open. Another one of the same kind needs a new component.
  if (session !== undefined)
    return session.includes(":") ? (
      <RecentTranscript key={session} id={session} />
    ) : (
      <RecentNodeSession key={session} id={session} />
    );
  if (plan === undefined || plan === "new") return null;
  return <RecentPlan key={`${plan} ${run}`} plan={plan} run={run} />;
}

/** The last part of an address that consists of a prefix and an id. */
function idAfter(prefix: string, pathname: string): string | undefined {
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : "";
  if (rest === "" || rest.includes("/")) return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    // A percent sign that somebody typed. The page shows that it doesn't exist.
    return undefined;
  }
}

function RecentPlan({ plan, run }: { plan: string; run: string | undefined }): null {
  const title = useOperation("plan_get", { plan }, loadedElsewhere).data?.plan.title;
  const summary = useRun(title === undefined ? undefined : run).data?.summary;
  useRecord(
    title === undefined
      ? undefined
      : { id: `Blueprints:${plan}`, label: displayTitle(title), address: paths.blueprint(plan) },
  );
  useRecord(
    summary?.plan !== plan
      ? undefined
      : {
          id: `Runs:${summary.id}`,
          label: displayTitle(summary.title),
          detail: `#${summary.number}`,
          address: paths.blueprintAt(plan, { run: summary.id }),
        },
  );
  useShown(`Blueprints:${plan}`, run === undefined ? undefined : `Runs:${run}`);
  return null;
}

function RecentTranscript({ id }: { id: string }): null {
  const { data } = useOperation("transcript_get", { id }, loadedElsewhere);
  useRecentSession(id, data && sessionTitle(data));
  return null;
}

function RecentNodeSession({ id }: { id: string }): null {
  const { data } = useOperation("session_get", { session: id }, loadedElsewhere);
  useRecentSession(id, data && displayTitle(data.title));
  return null;
}

function useRecentSession(id: string, label: string | undefined): void {
  useRecord(
    label === undefined ? undefined : { id: `Sessions:${id}`, label, address: paths.session(id) },
  );
  useShown(`Sessions:${id}`);
}

/** Records a page when it is opened and when its title changes. */
function useRecord(page: RecentPage | undefined): void {
  const { id, label, detail, address } = page ?? {};
  useEffect(() => {
    if (id === undefined || label === undefined || address === undefined) return;
    recordRecentPage({ id, label, address, ...(detail !== undefined && { detail }) });
  }, [id, label, detail, address]);
}

function useShown(page: string, other?: string): void {
  useEffect(() => {
    setShownPages(other === undefined ? [page] : [page, other]);
    return () => setShownPages([]);
  }, [page, other]);
}
