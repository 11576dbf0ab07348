import type { ReactElement } from "react";
import type { Evidence, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { type AttemptOfNode, useAttemptSession } from "../useAttemptSession";
import { AttemptFailureDetails } from "./AttemptFailureDetails";
import { ChangedFiles } from "./ChangedFiles";
import { CriterionChecks } from "./CriterionChecks";
import { ExecutedCommands } from "./ExecutedCommands";
import { formatRefusedCalls } from "./evidenceText";
import { GitChanges } from "./GitChanges";
import { Mismatches } from "./Mismatches";
import { TakeoverCriteria } from "./TakeoverCriteria";

/** The evidence of an attempt: files, commands, checks, and mismatches with its handoff. */
export function EvidenceView(input: AttemptOfNode): ReactElement | null {
  const known = useOperation("evidence_get", input);
  const session = useAttemptSession(input);
  if (known.isPending) return <Skeleton width="60%" />;
  if (known.isError) {
    return (
      <ErrorState
        title="Couldn't load the evidence"
        detail={known.error.code}
        onRetry={() => void known.refetch()}
      >
        {known.error.message}
      </ErrorState>
    );
  }
  const { evidence, afterTakeover } = known.data;
  return (
    <>
      <TakeoverCriteria lines={afterTakeover ?? []} />
      <GitChanges {...input} known={known.data} />
      {evidence && <EvidenceBody evidence={evidence} session={session} />}
    </>
  );
}

/** The parts of the evidence, mismatches first. */
export function EvidenceBody({
  evidence,
  session,
}: {
  evidence: Evidence;
  /** The session of the attempt, whose files can be shown. */
  session?: SessionId | undefined;
}): ReactElement {
  return (
    <section aria-label="Evidence" className="flex flex-col gap-3">
      <h3 className="font-medium text-12 text-muted">Evidence collected by Baton</h3>
      {(evidence.mismatches.length > 0 || !(evidence.ending || evidence.gitChanges)) && (
        <Mismatches mismatches={evidence.mismatches} />
      )}
      {evidence.ending && <AttemptFailureDetails ending={evidence.ending} />}
      <CriterionChecks checks={evidence.checks} />
      <ChangedFiles files={evidence.files} mismatches={evidence.mismatches} session={session} />
      {evidence.refused > 0 && (
        <p className="text-12 text-muted">{formatRefusedCalls(evidence.refused)}</p>
      )}
      <ExecutedCommands commands={evidence.commands} leftOut={evidence.commandsLeftOut} />
    </section>
  );
}
