import { type ReactElement, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { TranscriptRow } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorState } from "@/components/ErrorState";
import { MakeBlueprintButton } from "@/planner/MakeBlueprintButton";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { ContinueSession } from "@/timeline/ContinueSession";
import { AgentIcon } from "./AgentIcon";
import { SessionAnnotations } from "./SessionAnnotations";
import { SessionBreadcrumbs } from "./SessionBreadcrumbs";
import { sessionTitle } from "./sessionText";
import { TranscriptFacts } from "./TranscriptFacts";
import { TranscriptTimeline } from "./TranscriptTimeline";

/** A session from an agent's history. */
export function TranscriptPage({ id }: { id: string }): ReactElement {
  const transcript = useOperation("transcript_get", { id });
  if (transcript.isPending) return <PageHeader title="Session" />;
  if (!transcript.data) {
    return (
      <>
        <PageHeader title="Session" heading={<SessionBreadcrumbs title="Session" />} />
        <ErrorState
          title="Couldn't load the session"
          detail={transcript.error.code}
          onRetry={() => void transcript.refetch()}
          retrying={transcript.isFetching}
          actions={<ButtonLink to={paths.sessions}>All sessions</ButtonLink>}
        >
          {transcript.error.message}
        </ErrorState>
      </>
    );
  }
  return <Transcript row={transcript.data} />;
}

function Transcript({ row }: { row: TranscriptRow }): ReactElement {
  const title = sessionTitle(row);
  const [address] = useSearchParams();
  const reach = useMemo(() => ({ session: null, transcript: row.id }), [row.id]);
  return (
    <>
      <PageHeader
        title={title}
        heading={<SessionBreadcrumbs title={title} />}
        status={<AgentIcon agentTitle={row.agentTitle} agentMark={row.agentMark} />}
        actions={
          <>
            <SessionAnnotations id={row.id} title={title} />
            <MakeBlueprintButton transcript={row.id} title={title} />
            {row.link && (
              <ButtonLink to={paths.node(row.link.plan, row.link.node)}>Open node</ButtonLink>
            )}
          </>
        }
      />
      <TranscriptFacts row={row} />
      {/* In a small window the facts shrink, not the timeline. */}
      <div className="flex min-h-40 min-w-0 flex-1 flex-col">
        <TranscriptTimeline row={row} address={address} ownsFind />
      </div>
      <ContinueSession of={reach} />
    </>
  );
}
