import type { ReactElement, ReactNode } from "react";
import type { TranscriptRow } from "@/api/bindings";
import { UsageLine } from "@/attempt/UsageLine";
import { CopyButton } from "@/components/CopyButton";
import { Duration } from "@/components/Duration";
import { formatBytes } from "@/components/formatBytes";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { useEnrichment } from "@/shell/enrichments";
import { SessionCost, SessionTokens } from "./SessionUsage";
import { sessionDuration, totalTokens } from "./sessionText";

/** What Claude Code records as the branch outside a git repository and with a detached HEAD. */
const noBranch = "HEAD";

/** Metadata of a transcript. Missing values are shown as "unknown". */
export function TranscriptFacts({ row }: { row: TranscriptRow }): ReactElement {
  const { enrichment } = useEnrichment("session", row.id);
  return (
    <dl className="grid max-h-[36vh] min-h-8 overflow-auto grid-cols-[--spacing(18)_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 border-b px-4 py-2 text-12">
      <Fact name="Agent">
        <span className="text-muted">
          {[row.agentTitle, row.version, row.model ?? "model unknown"]
            .filter((word) => word !== null)
            .join(", ")}
        </span>
      </Fact>
      <Fact name="Project">
        <span className="flex min-w-0 items-baseline gap-2">
          <code title={row.project ?? undefined} className="min-w-0 select-text truncate">
            {row.project ?? "unknown"}
          </code>
          {row.branch !== null && row.branch !== noBranch && (
            <span className="shrink-0 text-muted">on {row.branch}</span>
          )}
        </span>
      </Fact>
      <Fact name="Time">
        <Times row={row} />
      </Fact>
      <Fact name="Usage">
        <UsageText row={row} />
      </Fact>
      <Fact name="File">
        <span className="flex min-w-0 items-center gap-1">
          <code title={row.path} className="min-w-0 select-text truncate">
            {row.path}
          </code>
          <CopyButton text={row.path} label="Copy path" />
          <span className="shrink-0 text-muted">
            {formatBytes(row.bytes)}
            {row.helpers > 0 && `, ${formatCount(row.helpers, "subagent")}`}
          </span>
        </span>
      </Fact>
      {row.trouble !== null && (
        <Fact name="Problem">
          <span className="select-text break-words text-state-waiting">{row.trouble}</span>
        </Fact>
      )}
      {enrichment.notes !== "" && (
        <Fact name="Note">
          <p
            dir="auto"
            className="max-h-24 select-text overflow-auto whitespace-pre-wrap break-words"
          >
            {enrichment.notes}
          </p>
        </Fact>
      )}
    </dl>
  );
}

function UsageText({ row }: { row: TranscriptRow }): ReactElement {
  if (totalTokens(row.usage) === null && row.usage.usd === null)
    return <span className="text-faint">unknown, not recorded in this session</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-muted">
      <span>
        <SessionTokens row={row} /> tokens
      </span>
      <span>
        Cost <SessionCost row={row} />
      </span>
      <UsageLine usage={row.usage} withoutCost />
    </span>
  );
}

function Times({ row }: { row: TranscriptRow }): ReactElement {
  const length = sessionDuration(row);
  if (row.startedAt === null) return <span className="text-muted">unknown</span>;
  return (
    <span className="text-muted">
      Started <RelativeTime at={row.startedAt} />
      {length !== undefined && (
        <>
          , lasted <Duration milliseconds={length} />
        </>
      )}
      , {formatCount(row.messages, "message")}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
