import type { ReactElement } from "react";
import type { ArtifactId, ArtifactView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { CopyButton } from "@/components/CopyButton";
import { ErrorState } from "@/components/ErrorState";
import { Markdown } from "@/components/Markdown";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { EvidenceView } from "./evidence/EvidenceView";
import { OutputsTable } from "./OutputsTable";

const authors: Record<ArtifactView["content"]["author"], string> = {
  agent: "Written by the agent",
  facts: "Made of facts by Baton",
  person: "Written by a person",
};

/** The handoff that an attempt left for the nodes that depend on it. */
export function HandoffView({ artifact }: { artifact: ArtifactId }): ReactElement {
  const handoff = useOperation("artifact_get", { artifact });
  if (handoff.isPending) return <Skeleton width="60%" />;
  if (handoff.isError) {
    return (
      <ErrorState
        title="The handoff could not be read"
        detail={handoff.error.code}
        onRetry={() => void handoff.refetch()}
      >
        {handoff.error.message}
      </ErrorState>
    );
  }
  const { content, createdAt, run, node, attempt } = handoff.data;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 text-12 text-faint">
        <Pill>{authors[content.author]}</Pill>
        <RelativeTime at={createdAt} />
        <span className="ml-auto">
          <CopyButton text={content.text} label="Copy handoff" />
        </span>
      </div>
      <div dir="auto" className="rounded-card border bg-raised px-3 py-2.5">
        <Markdown text={content.text} />
      </div>
      <OutputsTable outputs={content.outputs} />
      {content.files.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium text-12 text-muted">Files that it names as changed</h3>
          <ul className="flex flex-col">
            {content.files.map((file) => (
              <li key={file} className="select-text break-all font-mono text-12 leading-5">
                {file}
              </li>
            ))}
          </ul>
        </section>
      )}
      <EvidenceView run={run} node={node} attempt={attempt} />
    </div>
  );
}
