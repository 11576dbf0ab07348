import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import type { AgentView, Team } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { Select } from "@/components/Select";
import { TextField } from "@/components/TextField";
import { teamReference, teamRules } from "@/components/teamRules";
import { SaveDialog } from "./SaveDialog";
import { TeamMembers } from "./TeamMembers";
import { isTeamReady, teamErrors } from "./teamDraft";

// Not the ID of any agent: IDs have no spaces.
const defaultAgent = "default agent";

/** Adds or edits a team: its name, its members in order, and the rule that chooses one. */
export function TeamDialog({
  team,
  taken,
  agents,
  onClose,
}: {
  /** The team to edit; undefined to add one. */
  team: Team | undefined;
  /** The names that are already in use. */
  taken: readonly string[];
  agents: readonly AgentView[];
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const save = useMutationOperation("team_save");
  const [draft, setDraft] = useState<Team>(
    team ?? { name: "", members: [], rule: "first", asks: null, model: null },
  );
  const faults = teamErrors(
    draft,
    taken.filter((name) => name !== team?.name),
  );
  const isKnown = draft.asks === null || agents.some(({ id }) => id === draft.asks);
  const submit = () =>
    save.mutate(draft, {
      onSuccess: (teams) => {
        client.setQueryData(operationKey("teams_list", {}), teams);
        onClose();
      },
    });

  return (
    <SaveDialog
      title={team ? `Edit team ${team.name}` : "Add a team"}
      description="A group of agents that share work. Any member can run a node."
      act={team ? "Save team" : "Add team"}
      ready={isTeamReady(draft, faults)}
      save={save}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        placeholder="reviewers"
        hint={
          team
            ? "Used in plan files, so it can't be changed."
            : `In plan files: ${teamReference(draft.name || "name")}`
        }
        error={faults.name}
        disabled={team !== undefined}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name: name.trim() })}
      />
      <TeamMembers
        members={draft.members}
        agents={agents}
        onChange={(members) => setDraft({ ...draft, members })}
      />
      <Select
        label="Agent selection"
        hint={teamRules.find(({ id }) => id === draft.rule)?.hint}
        options={teamRules.map(({ id, label }) => ({ id, label }))}
        value={draft.rule}
        onChange={(rule) => setDraft({ ...draft, rule })}
      />
      {draft.rule === "ask" && (
        <div className="grid grid-cols-2 gap-2">
          <Select
            label="Selecting agent"
            options={[
              { id: defaultAgent, label: "Default" },
              ...agents.map(({ id, title }) => ({ id, label: title })),
              ...(isKnown
                ? []
                : [{ id: draft.asks ?? "", label: draft.asks ?? "", note: "unknown" }]),
            ]}
            value={draft.asks ?? defaultAgent}
            onChange={(id) => setDraft({ ...draft, asks: id === defaultAgent ? null : id })}
          />
          <TextField
            label="Model"
            placeholder="Agent's default"
            value={draft.model ?? ""}
            onChange={(model) => setDraft({ ...draft, model: model || null })}
          />
        </div>
      )}
    </SaveDialog>
  );
}
