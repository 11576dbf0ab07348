import { type ReactElement, useMemo } from "react";
import type { ArtifactId, ArtifactView } from "@/api/bindings";
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
  differs,
}: {
  a: ArtifactId | null;
  b: ArtifactId | null;
  /** Whether they differ in more than durations; `undefined` if unknown. */
  differs: boolean | undefined;
}): ReactElement | null {
  if (a !== null && b !== null) return <Difference a={a} b={b} differs={differs} />;
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

function Difference({
  a,
  b,
  differs,
}: {
  a: ArtifactId;
  b: ArtifactId;
  differs: boolean | undefined;
}): ReactElement {
  const before = useOperation("artifact_get", { artifact: a });
  const after = useOperation("artifact_get", { artifact: b });
  const [old, now] = [before.data?.content, after.data?.content];
  const hunks = useMemo(
    () =>
      old && now
        ? {
            text: diffTexts(old.text, now.text),
            outputs: diffTexts(listOutputs(old), listOutputs(now)),
          }
        : undefined,
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
  if (hunks.text.length === 0 && hunks.outputs.length === 0)
    return <p className="text-muted">The handoffs are the same.</p>;
  if (differs === false) return <p className="text-muted">The same, except for durations.</p>;
  return (
    <div className="flex flex-col gap-3">
      {hunks.text.length > 0 && <DiffView hunks={hunks.text} />}
      {hunks.outputs.length > 0 && (
        <section aria-label="Named outputs">
          <h3 className="mb-1 font-medium text-12 text-muted">Named outputs</h3>
          <DiffView hunks={hunks.outputs} />
        </section>
      )}
    </div>
  );
}

/** The named outputs, one per line; a value may have several. */
function listOutputs({ outputs }: ArtifactView["content"]): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}
