import { type ReactElement, useMemo, useState } from "react";
import type { Attempt, NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { ErrorState } from "@/components/ErrorState";
import { formatBytes } from "@/components/formatBytes";
import { Markdown } from "@/components/Markdown";

/** How many characters are rendered at first: Markdown of 1 MB would block the page. */
const SHOWN_CHARACTERS = 50_000;

export interface NodeSummaryProps {
  run: RunId;
  node: NodeId;
  attempt: Attempt;
}

/**
 * The Markdown that an attempt wrote to `BATON_SUMMARY`. Renders nothing without any, which is the
 * usual case: so nothing is shown while it is loaded either.
 */
export function NodeSummary(input: NodeSummaryProps): ReactElement | null {
  const read = useOperation("node_summary", input);
  if (read.isPending) return null;
  if (read.isError) {
    return (
      <ErrorState
        title="Couldn't load the summary"
        detail={read.error.code}
        onRetry={() => void read.refetch()}
      >
        {read.error.message}
      </ErrorState>
    );
  }
  const { markdown, bytes, cut } = read.data;
  if (markdown.trim() === "") return null;
  return (
    <section aria-label="Summary" className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="font-medium text-12 text-muted">Summary</h3>
        <span className="ml-auto">
          <CopyButton text={markdown} label="Copy summary" />
        </span>
      </div>
      <SummaryText key={input.attempt} markdown={markdown} />
      {cut && (
        <p className="text-12 text-muted">
          The node wrote {formatBytes(bytes)}. Only the first {formatBytes(1_048_576)} are kept.
        </p>
      )}
    </section>
  );
}

function SummaryText({ markdown }: { markdown: string }): ReactElement {
  const [whole, setWhole] = useState(false);
  const head = useMemo(() => firstLines(markdown), [markdown]);
  const isShort = whole || head.length === markdown.length;
  return (
    <>
      <div dir="auto" className="rounded-card border bg-raised px-3 py-2.5">
        {whole && head.length < markdown.length ? (
          // Plain text: rendering all of it as Markdown could take minutes.
          <pre className="select-text whitespace-pre-wrap break-words text-12">{markdown}</pre>
        ) : (
          <Markdown text={head} />
        )}
      </div>
      {!isShort && (
        <Button size="small" className="self-start" onClick={() => setWhole(true)}>
          Show all as plain text
        </Button>
      )}
    </>
  );
}

/** Returns the beginning of a long text, up to the end of a line. */
function firstLines(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", SHOWN_CHARACTERS);
  return text.slice(0, end > 0 ? end : SHOWN_CHARACTERS);
}
