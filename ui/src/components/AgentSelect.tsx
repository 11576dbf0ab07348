import type { ReactElement } from "react";
import type { AgentView, Team } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { FixText } from "./FixText";
import { Select, type SelectOption } from "./Select";
import { referencedTeam, teamReference, teamRuleLabel } from "./teamRules";

// Agent ids contain no spaces, so this value can't collide with one.
const defaultAgent = "default agent";

/**
 * Selects the agent of a node: the default one, a specific one or, with `teams`, a team. That the
 * agent is missing is an error only when something depends on it.
 */
export function AgentSelect({
  label = "Agent",
  value,
  teams: offersTeams = false,
  needed = true,
  onChange,
}: {
  label?: string;
  value: string | null;
  teams?: boolean;
  /** Whether anything depends on the selected agent. */
  needed?: boolean;
  onChange: (agent: string | null) => void;
}): ReactElement {
  const agents = useOperation("agents_list", {});
  const teams = useOperation("teams_list", {}, { enabled: offersTeams });
  const known = agents.data ?? [];
  const chosen = known.find((agent) => (value === null ? agent.default : agent.id === value));
  // A default agent that nothing depends on is optional: the list says that it was not found.
  const missing = chosen && chosen.path === null && (needed || value !== null);
  const team = referencedTeam(value);
  const isGone =
    team !== undefined && teams.data !== undefined && !teams.data.some(({ name }) => name === team);
  const fault = missing
    ? `${chosen.title} was not found.`
    : isGone
      ? `There is no team ${team}. Choose another, or add it in Settings.`
      : undefined;

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Select
        label={label}
        value={value ?? defaultAgent}
        options={agentOptions(known, offersTeams ? (teams.data ?? []) : [], value)}
        onChange={(id) => onChange(id === defaultAgent ? null : id)}
        {...(fault !== undefined && { [needed ? "error" : "hint"]: fault })}
      />
      {missing && (
        <p className="text-12 text-muted">
          <FixText>{chosen.mend ?? "install it"}</FixText>
        </p>
      )}
    </div>
  );
}

function agentOptions(
  agents: readonly AgentView[],
  teams: readonly Team[],
  value: string | null,
): SelectOption<string>[] {
  const standard = agents.find((agent) => agent.default);
  const options = [
    ...agents.map((agent) => ({
      id: agent.id,
      label: agent.title,
      note: agent.path === null ? "not found" : (agent.version ?? "found"),
    })),
    ...teams.map(({ name, rule }) => ({
      id: teamReference(name),
      label: `Team ${name}`,
      note: teamRuleLabel(rule),
    })),
  ];
  const team = referencedTeam(value);
  const isForeign = value !== null && !options.some(({ id }) => id === value);
  return [
    { id: defaultAgent, label: "Default", ...(standard && { note: standard.title }) },
    ...options,
    ...(isForeign
      ? [{ id: value, label: team === undefined ? value : `Team ${team}`, note: "unknown" }]
      : []),
  ];
}
