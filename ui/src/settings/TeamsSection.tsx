import { Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { AgentView, Team } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { IconButton } from "@/components/IconButton";
import { Skeleton } from "@/components/Skeleton";
import { teamReference, teamRuleLabel } from "@/components/teamRules";
import { DeleteTeamDialog } from "./DeleteTeamDialog";
import { SettingsSection } from "./SettingsSection";
import { TeamDialog } from "./TeamDialog";

/** The open dialog and its subject. */
type OpenDialog = { kind: "add" } | { kind: "edit"; team: Team } | { kind: "delete"; team: Team };

/** The teams of agents, with the rule that chooses the agent for a node. */
export function TeamsSection(): ReactElement {
  const teams = useOperation("teams_list", {});
  const agents = useOperation("agents_list", {});
  const [dialog, openDialog] = useState<OpenDialog>();
  const close = () => openDialog(undefined);

  return (
    <SettingsSection
      title="Teams"
      note="Groups of agents that share work. Choose a team in place of an agent, and any member can run the node."
      action={
        <Button disabled={!teams.data} onClick={() => openDialog({ kind: "add" })}>
          <Plus aria-hidden="true" />
          Add team
        </Button>
      }
    >
      {teams.data ? (
        <ul aria-label="Teams" className="divide-y divide-line rounded-card border">
          {teams.data.length === 0 && (
            <li className="px-3 py-2.5 text-muted">
              No teams yet. With a team, work continues when one agent reaches its usage limit.
            </li>
          )}
          {teams.data.map((team) => (
            <TeamRow
              key={team.name}
              team={team}
              agents={agents.data ?? []}
              onEdit={() => openDialog({ kind: "edit", team })}
              onDelete={() => openDialog({ kind: "delete", team })}
            />
          ))}
        </ul>
      ) : teams.error ? (
        <div className="rounded-card border">
          <ErrorState
            title="Couldn't load the teams"
            detail={teams.error.code}
            onRetry={() => void teams.refetch()}
            retrying={teams.isFetching}
          >
            {teams.error.message}
          </ErrorState>
        </div>
      ) : (
        <div role="status" aria-label="Loading teams" className="rounded-card border px-3 py-2">
          <Skeleton width={180} />
        </div>
      )}
      {(dialog?.kind === "add" || dialog?.kind === "edit") && (
        <TeamDialog
          team={dialog.kind === "edit" ? dialog.team : undefined}
          taken={teams.data?.map(({ name }) => name) ?? []}
          agents={agents.data ?? []}
          onClose={close}
        />
      )}
      {dialog?.kind === "delete" && <DeleteTeamDialog team={dialog.team} onClose={close} />}
    </SettingsSection>
  );
}

function TeamRow({
  team: { name, members, rule, asks },
  agents,
  onEdit,
  onDelete,
}: {
  team: Team;
  agents: readonly AgentView[];
  onEdit: () => void;
  onDelete: () => void;
}): ReactElement {
  const titleOf = (id: string) => agents.find((agent) => agent.id === id)?.title ?? id;
  const absent = members.filter((id) => agents.some((agent) => agent.id === id && !agent.path));
  const unknown = agents.length > 0 ? members.filter((id) => !agents.some((a) => a.id === id)) : [];
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 flex-wrap items-center gap-x-2">
          <span className="font-medium">{name}</span>
          <code className="text-12 text-faint">{teamReference(name)}</code>
        </div>
        <p className="break-words text-12 text-muted">{members.map(titleOf).join(", ")}</p>
        <p className="text-12 text-faint">
          {teamRuleLabel(rule)}
          {rule === "ask" && `: ${asks === null ? "the default agent" : titleOf(asks)}`}
        </p>
        {absent.length > 0 && (
          <p className="text-12">Not found, skipped: {absent.map(titleOf).join(", ")}</p>
        )}
        {unknown.length > 0 && <p className="text-12">Unknown agents: {unknown.join(", ")}</p>}
      </div>
      <div className="flex gap-0.5">
        <IconButton label={`Edit team ${name}`} size="small" icon={<Pencil />} onClick={onEdit} />
        <IconButton
          label={`Delete team ${name}`}
          size="small"
          icon={<Trash2 />}
          onClick={onDelete}
        />
      </div>
    </li>
  );
}
