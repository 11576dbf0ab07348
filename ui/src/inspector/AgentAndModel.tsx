import type { ReactElement } from "react";
import { AgentSelect } from "@/components/AgentSelect";
import { TextField } from "@/components/TextField";

/** One change to the agent or model of a node's kind. */
export type AgentAndModelChange = { agent: string | null } | { model: string | null };

/** The agent or team of a node, and its model. */
export function AgentAndModel({
  task,
  onChange,
}: {
  task: { agent: string | null; model: string | null };
  /** `label` names the undo step. Keystrokes with the same `field` are one step. */
  onChange: (label: string, change: AgentAndModelChange, field?: string) => void;
}): ReactElement {
  return (
    <div className="grid grid-cols-2 gap-2">
      <AgentSelect
        teams
        value={task.agent}
        onChange={(agent) => onChange("Change agent", { agent })}
      />
      <TextField
        label="Model"
        value={task.model ?? ""}
        placeholder="Agent's default"
        onChange={(model) => onChange("Change model", { model: model || null }, "model")}
      />
    </div>
  );
}
