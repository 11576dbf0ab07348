import { type ReactElement, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import type { SessionView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorState } from "@/components/ErrorState";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SessionOutput } from "@/output/SessionOutput";
import { displayTitle } from "@/plan/nodeText";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { SessionFacts } from "@/timeline/SessionFacts";
import { SessionTimeline } from "@/timeline/SessionTimeline";
import { SessionAnnotations } from "./SessionAnnotations";
import { SessionBreadcrumbs } from "./SessionBreadcrumbs";
import { SessionChanges } from "./SessionChanges";
import { SessionDirectoryMenu } from "./SessionDirectoryMenu";

/** A session of a node, with links to the node and to the agent's transcript. */
export function NodeSessionPage({ id }: { id: string }): ReactElement {
  const session = useOperation("session_get", { session: id });
  if (session.isPending) return <PageHeader title="Session" />;
  if (!session.data) {
    return (
      <>
        <PageHeader title="Session" heading={<SessionBreadcrumbs title="Session" />} />
        <ErrorState
          title="Couldn't load the session"
          detail={session.error.code}
          onRetry={() => void session.refetch()}
          actions={<ButtonLink to={paths.sessions}>All sessions</ButtonLink>}
        >
          {session.error.message}
        </ErrorState>
      </>
    );
  }
  const { data } = session;
  const title = displayTitle(data.title);
  return (
    <>
      <PageHeader
        title={title}
        heading={<SessionBreadcrumbs title={title} />}
        actions={
          <>
            {/* Stars, tags and notes are stored under the transcript id, which the list of sessions uses. */}
            <SessionAnnotations id={data.transcript ?? data.id} title={title} />
            {data.transcript !== null && (
              <ButtonLink to={paths.session(data.transcript)}>Open transcript</ButtonLink>
            )}
            <SessionDirectoryMenu session={data} />
            <ButtonLink to={paths.node(data.plan, data.node)}>Open node</ButtonLink>
          </>
        }
      />
      <SessionFacts session={data} attempt={undefined} />
      <SessionContent key={id} session={data} />
    </>
  );
}

/** The timeline of an agent or a tool, or the output of a command. */
function SessionContent({ session }: { session: SessionView }): ReactElement {
  const { id, startedAt, live: follow, agent } = session;
  const source = useMemo(() => ({ kind: "session", session: id }) as const, [id]);
  const [search] = useSearchParams();
  const [chosen, choose] = useState<SessionContentKind>(
    search.get("view") === "changes" ? "changes" : "timeline",
  );
  const contents: SessionContentOption[] =
    agent !== null
      ? contentsOfAgent
      : [{ id: "timeline", label: runsTool(session) ? "Timeline" : "Output" }, changes];
  const showsOutput = agent === null ? !runsTool(session) : chosen === "output";
  return (
    <>
      <div className="shrink-0 border-b px-4 py-1">
        <SegmentedControl label="View" options={contents} value={chosen} onChange={choose} />
      </div>
      {chosen === "changes" ? (
        <SessionChanges session={session} />
      ) : showsOutput ? (
        <SessionOutput session={id} {...{ startedAt, follow }} ownsFind />
      ) : (
        <SessionTimeline {...{ source, startedAt, follow }} ownsFind />
      )}
    </>
  );
}

type SessionContentKind = "timeline" | "output" | "changes";

interface SessionContentOption {
  id: SessionContentKind;
  label: string;
}

const changes: SessionContentOption = { id: "changes", label: "Changes" };
const contentsOfAgent: SessionContentOption[] = [
  { id: "timeline", label: "Timeline" },
  { id: "output", label: "Raw output" },
  changes,
];

/** Whether Baton's own program made the calls of the session. Its output is a timeline. */
function runsTool({ argv }: SessionView): boolean {
  const program = argv[0]?.split(/[\\/]/).at(-1) ?? "";
  return /^baton-tool(\.exe)?$/.test(program);
}
