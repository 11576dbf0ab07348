import type { ReactElement } from "react";
import type { ContextParent, ContextView, NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { CopyButton } from "@/components/CopyButton";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { IncrementalList } from "@/components/IncrementalList";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Markdown } from "@/components/Markdown";
import { Skeleton } from "@/components/Skeleton";
import { TokenCount } from "@/components/TokenCount";
import { OutputsTable } from "./OutputsTable";

/**
 * Shows what a node received from its parents, or would receive if it started now, and the exact
 * prompt or command.
 */
export function ReceivedContext({ run, node }: { run: RunId; node: NodeId }): ReactElement {
  const context = useOperation("node_context", { run, node });
  if (context.isPending) return <Skeleton width="60%" />;
  if (context.isError) {
    return (
      <ErrorState
        title="Couldn't load the received context"
        detail={context.error.code}
        onRetry={() => void context.refetch()}
      >
        {context.error.message}
      </ErrorState>
    );
  }
  const { text, tokens, given, parents, prompt } = context.data;
  // The message about missing parents already says that the node receives nothing.
  const isAlone = parents.length === 0 && text.trim() === "";
  return (
    <div className="flex flex-col gap-3">
      {!isAlone && (
        <p className="flex items-center gap-1 text-12 text-muted">
          {given ? "Received" : "Would receive now"}: about <TokenCount tokens={tokens} /> tokens
          {parents.length > 0 && ` from ${formatCount(parents.length, "parent")}`}
          <span className="ml-auto">
            <CopyButton text={text} label="Copy context" />
          </span>
        </p>
      )}
      {isAlone ? (
        <p className="text-faint">This node has no parents, so it receives nothing.</p>
      ) : (
        <Parents parents={parents} />
      )}
      {text.trim() !== "" && (
        <div dir="auto" className="rounded-card border bg-raised px-3 py-2.5">
          <Markdown text={text} />
        </div>
      )}
      <ExactPrompt prompt={prompt} given={given} />
    </div>
  );
}

function Parents({ parents }: { parents: readonly ContextParent[] }): ReactElement | null {
  if (parents.length === 0) return null;
  return (
    <IncrementalList items={parents} keyOf={({ node }) => node} className="flex flex-col gap-2">
      {(parent) => (
        <div className="flex flex-col gap-1">
          <span className="flex gap-2">
            <span dir="auto" className="min-w-0 truncate font-medium" title={parent.title}>
              {parent.title}
            </span>
            <span className="shrink-0 text-faint">{givenBy(parent)}</span>
          </span>
          <OutputsTable outputs={parent.outputs} />
        </div>
      )}
    </IncrementalList>
  );
}

/** Describes what a parent passed on. */
function givenBy({ artifact, outputs }: ContextParent): string {
  if (artifact === null) return "no handoff";
  return Object.keys(outputs).length === 0 ? "handoff without outputs" : "handoff and outputs";
}

function ExactPrompt({
  prompt,
  given,
}: Pick<ContextView, "prompt" | "given">): ReactElement | null {
  if (prompt === null) return null;
  return (
    <section>
      <div className="mb-1 flex items-center">
        <h3 className="font-medium text-12 text-muted">
          {given ? "Prompt or command, as sent" : "Prompt or command, as it would be sent"}
        </h3>
        <span className="ml-auto">
          <CopyButton text={prompt} label="Copy prompt or command" />
        </span>
      </div>
      <pre
        {...keyboardScrollable}
        dir="auto"
        className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2.5 py-1.5 text-12 leading-4.5"
      >
        {prompt}
      </pre>
    </section>
  );
}
