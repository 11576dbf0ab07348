import { type ReactElement, useMemo } from "react";
import type { ArtifactId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { DiffView } from "@/attempt/DiffView";
import { HandoffView } from "@/attempt/HandoffView";
import { diffTexts } from "@/attempt/textDiff";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";

/** The difference between the handoffs of a node in two runs, or the only one of them. */
export function HandoffDiff({
  a,
  b,
}: {
  a: ArtifactId | null;
  b: ArtifactId | null;
}): ReactElement | null {
  if (a !== null && b !== null) return <Difference a={a} b={b} />;
  const only = a ?? b;
  return only === null ? null : (
    <>
      <p className="mb-2 text-12 text-muted">
        Only the {a === null ? "second" : "first"} run has a handoff.
      </p>
      <HandoffView artifact={only} />
    </>
  );
}

function Difference({ a, b }: { a: ArtifactId; b: ArtifactId }): ReactElement {
  const before = useOperation("artifact_get", { artifact: a });
  const after = useOperation("artifact_get", { artifact: b });
  const [old, now] = [before.data?.content.text, after.data?.content.text];
  const hunks = useMemo(
    () => (old === undefined || now === undefined ? undefined : diffTexts(old, now)),
    [old, now],
  );
  const error = before.error ?? after.error;
  if (hunks === undefined && error)
    return (
      <ErrorState
        title="Couldn't load the handoffs"
        detail={error.code}
        onRetry={() => {
          void before.refetch();
          void after.refetch();
        }}
      >
        {error.message}
      </ErrorState>
    );
  if (hunks === undefined) return <Skeleton width="60%" />;
  return hunks.length === 0 ? (
    <p className="text-muted">The handoffs are the same.</p>
  ) : (
    <DiffView hunks={hunks} />
  );
}
