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

/** The open dialog and its subject. */
type OpenDialog =
  | { kind: "add" }
  | { kind: "edit"; agent: AgentView }
  | { kind: "delete"; agent: AgentView };

/** Placeholder rows while loading, about as many as there are built-in agents. */
const placeholderRows = [1, 2, 3, 4, 5];

/** Built-in and custom agents: which are found, and which is the default. */
export function AgentsSection(): ReactElement {
  const agents = useOperation("agents_list", {});
  const [dialog, openDialog] = useState<OpenDialog>();
  const close = () => openDialog(undefined);

  return (
    <SettingsSection
      title="Agents"
      note="Programs that take a prompt and do the work of a node. Nodes without an agent use the default."
      action={
        <div className="flex gap-1.5">
          <Button busy={agents.isFetching} onClick={() => void agents.refetch()}>
            {!agents.isFetching && <RefreshCw aria-hidden="true" />}
            Check again
          </Button>
          <Button onClick={() => openDialog({ kind: "add" })}>
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
              onEdit={() => openDialog({ kind: "edit", agent })}
              onDelete={() => openDialog({ kind: "delete", agent })}
            />
          ))}
        </fieldset>
      ) : agents.error ? (
        <div className="rounded-card border">
          <ErrorState
            title="Couldn't load the agents"
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
          aria-label="Loading agents"
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
      {(dialog?.kind === "add" || dialog?.kind === "edit") && (
        <AgentDialog
          agent={dialog.kind === "edit" ? dialog.agent : undefined}
          taken={agents.data?.map(({ id }) => id) ?? []}
          onClose={close}
        />
      )}
      {dialog?.kind === "delete" && <DeleteAgentDialog agent={dialog.agent} onClose={close} />}
    </SettingsSection>
  );
}
