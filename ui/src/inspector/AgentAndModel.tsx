import type { ReactElement } from "react";
import { AgentSelect } from "@/components/AgentSelect";
import { TextField } from "@/components/TextField";

/** What one change of who answers is: part of a node's kind. */
export type AgentAndModelChange = { agent: string | null } | { model: string | null };

/** Which agent or team works, and with which model. */
export function AgentAndModel({
  task,
  onChange,
}: {
  task: { agent: string | null; model: string | null };
  /** Told the name of the step, what changes, and the field if its letters are one step. */
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
        placeholder="Agent's choice"
        onChange={(model) => onChange("Change model", { model: model || null }, "model")}
      />
    </div>
  );
}
