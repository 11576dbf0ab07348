import { type ReactElement, useState } from "react";
import { Link } from "react-router";
import type { ProposalView, ProposedChange } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Pill } from "@/components/Pill";
import {
  canAccept,
  canDismiss,
  canRetry,
  proposalOriginLabel,
  proposalStateLabel,
} from "@/planner/proposalText";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { ProposalSimulation } from "@/simulation/PlanSimulation";
import { SimulationDialog } from "@/simulation/SimulationDialog";
import { RejectDialog } from "./RejectDialog";
import type { ProposalActions } from "./useProposalActions";

/** Title, state and actions of a proposal. */
export function ProposalHeader({
  view: { summary },
  acts,
  wanted,
  nothingWanted,
}: {
  view: ProposalView;
  acts: ProposalActions;
  /** The changes to accept; null for all. */
  wanted: ProposedChange[] | null;
  nothingWanted: boolean;
}): ReactElement {
  const [asking, setAsking] = useState<"reject" | "retry" | undefined>();
  const [simulating, setSimulating] = useState(false);
  const { state, kind, target, author } = summary;
  const accepts = canAccept(summary);
  const acceptLabel = target === null && kind !== "explain" ? "Accept as draft" : "Accept";

  return (
    <>
      <PageHeader
        title={summary.title}
        heading={
          <h1 className="flex min-w-0 items-center gap-1.5 text-13">
            <Link
              to={target ? paths.blueprint(target.plan) : paths.blueprints}
              dir="auto"
              title={target?.title ?? undefined}
              className="max-w-64 truncate text-muted hover:text-fg"
            >
              {target?.title ?? "Blueprints"}
            </Link>
            <span className="text-faint">/</span>
            <span dir="auto" className="truncate font-semibold">
              {summary.title}
            </span>
          </h1>
        }
        status={
          <>
            <Pill tone={state.state === "failed" ? "danger" : accepts ? "accent" : "neutral"}>
              {proposalStateLabel(summary)}
            </Pill>
            <span className="hidden truncate text-12 text-faint min-[1100px]:inline">
              {proposalOriginLabel(summary)}
              {author.model && `, ${author.model}`}
              {author.automatic && ", requested by Baton"}
            </span>
          </>
        }
        actions={
          <>
            {state.state === "working" && (
              <Button busy={acts.busy} onClick={acts.cancel}>
                {author.submittedBy === null ? "Cancel planning" : "Dismiss"}
              </Button>
            )}
            {canDismiss(summary) && (
              <Button busy={acts.busy} onClick={acts.cancel}>
                Dismiss
              </Button>
            )}
            {accepts && <Button onClick={() => setSimulating(true)}>Simulate</Button>}
            {accepts && <Button onClick={() => setAsking("reject")}>Reject</Button>}
            {canRetry(summary) && <Button onClick={() => setAsking("retry")}>Try again</Button>}
            {accepts && (
              <Button
                kind={kind === "replan" ? "secondary" : "primary"}
                busy={acts.busy}
                disabled={nothingWanted}
                onClick={() => acts.accept(wanted, false)}
              >
                {wanted ? "Accept selected changes" : acceptLabel}
              </Button>
            )}
            {accepts && kind === "replan" && (
              <Button
                kind="primary"
                busy={acts.busy}
                disabled={nothingWanted}
                onClick={() => acts.accept(wanted, true)}
              >
                Accept and resume
              </Button>
            )}
          </>
        }
      />
      {simulating && (
        <SimulationDialog onClose={() => setSimulating(false)}>
          <ProposalSimulation proposal={summary.id} />
        </SimulationDialog>
      )}
      {asking && (
        <RejectDialog
          act={asking}
          submitted={author.submittedBy !== null}
          acts={acts}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
