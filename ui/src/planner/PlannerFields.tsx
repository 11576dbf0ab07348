import type { ReactElement } from "react";
import { AgentSelect } from "@/components/AgentSelect";
import { TextField } from "@/components/TextField";

export interface Planner {
  agent: string | null;
  model: string;
}

export const defaultPlanner: Planner = { agent: null, model: "" };

/** Fields for the planning agent and its model. */
export function PlannerFields({
  value,
  onChange,
}: {
  value: Planner;
  onChange: (planner: Planner) => void;
}): ReactElement {
  return (
    <div className="grid grid-cols-2 gap-3">
      <AgentSelect value={value.agent} onChange={(agent) => onChange({ ...value, agent })} />
      <TextField
        label="Model"
        placeholder="Agent's default"
        mono
        value={value.model}
        onChange={(model) => onChange({ ...value, model })}
      />
    </div>
  );
}
