import { type ReactElement, useMemo } from "react";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorState } from "@/components/ErrorState";
import { displayTitle } from "@/plan/nodeText";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { SessionFacts } from "@/timeline/SessionFacts";
import { SessionTimeline } from "@/timeline/SessionTimeline";
import { SessionAnnotations } from "./SessionAnnotations";
import { SessionBreadcrumbs } from "./SessionBreadcrumbs";

/** A session of a node, with links to the node and to the agent's transcript. */
export function NodeSessionPage({ id }: { id: string }): ReactElement {
  const session = useOperation("session_get", { session: id });
  const source = useMemo(() => ({ kind: "session", session: id }) as const, [id]);
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
            <ButtonLink to={paths.node(data.plan, data.node)}>Open node</ButtonLink>
          </>
        }
      />
      <SessionFacts session={data} attempt={undefined} />
      <SessionTimeline source={source} startedAt={data.startedAt} follow={data.live} ownsFind />
    </>
  );
}
