import { Maximize2 } from "lucide-react";
import { type ReactElement, useId, useMemo } from "react";
import { Link } from "react-router";
import type { TranscriptRow } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { MakeBlueprintButton } from "@/planner/MakeBlueprintButton";
import { ContinueSession } from "@/timeline/ContinueSession";
import { AgentIcon } from "./AgentIcon";
import { excerptPath } from "./SearchExcerpt";
import { sessionTitle } from "./sessionText";
import { TranscriptFacts } from "./TranscriptFacts";
import { TranscriptTimeline } from "./TranscriptTimeline";
import type { ListedSession } from "./usePagedSessions";

/** Shows the current session beside the list. Star, tags and notes are edited in the list. */
export function SessionPreview({ session }: { session: ListedSession | undefined }): ReactElement {
  if (!session) {
    return (
      <p className="flex h-full items-center justify-center p-4 text-faint">
        Select a session to preview it.
      </p>
    );
  }
  return <LoadedPreview key={session.row.id} session={session} />;
}

function LoadedPreview({
  session: { row: listed, excerpts },
}: {
  session: ListedSession;
}): ReactElement {
  const transcript = useOperation("transcript_get", { id: listed.id });
  // If the transcript was deleted meanwhile, the timeline shows the error.
  const row: TranscriptRow = transcript.data ?? listed;
  const title = sessionTitle(row);
  const place = excerptPath(row.id, excerpts[0]);
  const address = useMemo(() => new URLSearchParams(place.split("?")[1]), [place]);
  const reach = useMemo(() => ({ session: null, transcript: row.id }), [row.id]);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex h-11 shrink-0 items-center gap-2 px-4">
        <AgentIcon agentTitle={row.agentTitle} agentMark={row.agentMark} />
        <h2 id={heading} dir="auto" title={title} className="min-w-0 truncate font-semibold">
          {title}
        </h2>
        <span className="ml-auto flex shrink-0 items-center gap-1.5">
          <MakeBlueprintButton transcript={row.id} title={title} />
          <Link
            to={place}
            className="flex h-7 items-center gap-1.5 rounded-control px-2 font-medium text-muted hover:bg-hover hover:text-fg"
          >
            <Maximize2 aria-hidden="true" className="size-4" />
            Open as page
          </Link>
        </span>
      </header>
      <TranscriptFacts row={row} />
      <TranscriptTimeline row={row} address={address} />
      <ContinueSession of={reach} />
    </section>
  );
}
