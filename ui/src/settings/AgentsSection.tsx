import { Plus, RefreshCw } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { AgentView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { AgentDialog } from "./AgentDialog";
import { AgentRow } from "./AgentRow";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { SettingsSection } from "./SettingsSection";

/** What is asked about an agent at the moment. */
type Asked =
  | { kind: "add" }
  | { kind: "edit"; agent: AgentView }
  | { kind: "delete"; agent: AgentView };

/** Placeholder rows: about the number of agents that need no settings. */
const placeholderRows = [1, 2, 3, 4, 5];

/** The agents of this machine: which are found, which is the default, and the person's own. */
export function AgentsSection(): ReactElement {
  const agents = useOperation("agents_list", {});
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);

  return (
    <SettingsSection
      title="Agents"
      note="Programs that take a prompt and do the work of a node. Nodes that name none take the default."
      action={
        <div className="flex gap-1.5">
          <Button busy={agents.isFetching} onClick={() => void agents.refetch()}>
            {!agents.isFetching && <RefreshCw aria-hidden="true" />}
            Check again
          </Button>
          <Button onClick={() => ask({ kind: "add" })}>
            <Plus aria-hidden="true" />
            Add agent
          </Button>
        </div>
      }
    >
      {agents.data ? (
        <fieldset className="divide-y divide-line overflow-hidden rounded-card border">
          <legend className="sr-only">Default agent</legend>
          {agents.data.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              onEdit={() => ask({ kind: "edit", agent })}
              onDelete={() => ask({ kind: "delete", agent })}
            />
          ))}
        </fieldset>
      ) : agents.error ? (
        <div className="rounded-card border">
          <ErrorState
            title="The agents could not be looked for"
            detail={agents.error.code}
            onRetry={() => void agents.refetch()}
            retrying={agents.isFetching}
          >
            {agents.error.message}
          </ErrorState>
        </div>
      ) : (
        <div
          role="status"
          aria-label="Looking for agents"
          className="divide-y divide-line rounded-card border"
        >
          {placeholderRows.map((row) => (
            <div key={row} className="h-27 px-3 py-2">
              <Skeleton width={180} />
              <Skeleton width={260} />
            </div>
          ))}
        </div>
      )}
      {(asked?.kind === "add" || asked?.kind === "edit") && (
        <AgentDialog
          agent={asked.kind === "edit" ? asked.agent : undefined}
          taken={agents.data?.map(({ id }) => id) ?? []}
          onClose={close}
        />
      )}
      {asked?.kind === "delete" && <DeleteAgentDialog agent={asked.agent} onClose={close} />}
    </SettingsSection>
  );
}
