import { type ReactElement, useMemo, useState } from "react";
import type { ProposalView } from "@/api/bindings";
import { EmptyState } from "@/components/EmptyState";
import { Select } from "@/components/Select";
import { SessionTimeline } from "@/timeline/SessionTimeline";

/** The timeline of the planner's session. With several attempts, one of them can be selected. */
export function PlannerSession({ view }: { view: ProposalView }): ReactElement {
  const [chosen, setChosen] = useState<number | undefined>();
  const at = chosen ?? view.rounds.length - 1;
  const round = view.rounds[at];
  const session = round?.session;
  const source = useMemo(() => session && ({ kind: "session", session } as const), [session]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {view.rounds.length > 1 && (
        <div className="w-72 p-2">
          <Select
            label="Attempt"
            value={String(at)}
            options={view.rounds.map(({ faults }, number) => ({
              id: String(number),
              label: `Attempt ${number + 1}`,
              ...(faults.length > 0 && { note: "repairs the previous answer" }),
            }))}
            onChange={(id) => setChosen(Number(id))}
          />
        </div>
      )}
      {round?.session && source ? (
        <SessionTimeline
          key={round.session}
          source={source}
          startedAt={round.at}
          follow={view.summary.state.state === "working"}
          ownsFind
        />
      ) : (
        <EmptyState title="The session hasn't started">
          Its timeline appears here once the agent runs.
        </EmptyState>
      )}
    </div>
  );
}
