import type { ReactElement } from "react";
import type { AgentView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Select, type SelectOption } from "@/components/Select";

// Ids of agents have no spaces, so this one is free.
const defaultAgent = "default agent";

/** Which agent works on a node, the default one unless another is named. */
export function AgentSelect({
  label = "Agent",
  value,
  onChange,
}: {
  label?: string;
  value: string | null;
  onChange: (agent: string | null) => void;
}): ReactElement {
  const agents = useOperation("agents_list", {});
  const known = agents.data ?? [];
  const chosen = known.find((agent) => (value === null ? agent.default : agent.id === value));
  const missing = chosen && chosen.path === null;

  return (
    <Select
      label={label}
      value={value ?? defaultAgent}
      options={agentOptions(known, value)}
      onChange={(id) => onChange(id === defaultAgent ? null : id)}
      error={missing ? `${chosen.title} was not found. ${chosen.mend ?? "Install it."}` : undefined}
    />
  );
}

function agentOptions(agents: readonly AgentView[], value: string | null): SelectOption<string>[] {
  const standard = agents.find((agent) => agent.default);
  const options = agents.map((agent) => ({
    id: agent.id,
    label: agent.title,
    note: agent.path === null ? "not found" : (agent.version ?? "found"),
  }));
  const isForeign = value !== null && !agents.some((agent) => agent.id === value);
  return [
    { id: defaultAgent, label: "Default", ...(standard && { note: standard.title }) },
    ...options,
    ...(isForeign ? [{ id: value, label: value, note: "not known here" }] : []),
  ];
}
