import type { ReactElement } from "react";
import type { PlanSettings } from "@/api/bindings";
import { Select } from "@/components/Select";
import { TagList } from "@/components/TagList";
import { scopeModes } from "@/inspector/ToolScopeFields";
import { GivenLeave } from "./GivenLeave";

interface PlanToolsProps {
  plan: string;
  settings: PlanSettings;
  onChange: (label: string, key: string | undefined, part: Partial<PlanSettings>) => void;
}

/** How the agents of a plan are held to their tools, and what they were allowed. */
export function PlanTools({ plan, settings, onChange }: PlanToolsProps): ReactElement {
  return (
    <>
      <Select
        label="Tools outside a node's list"
        options={scopeModes.map(({ id, label }) => ({ id, label }))}
        value={settings.toolScope}
        hint={scopeModes.find(({ id }) => id === settings.toolScope)?.hint}
        onChange={(toolScope) =>
          onChange("Change how tools are held back", "plan.toolScope", { toolScope })
        }
      />
      <TagList
        label="Guarded tools"
        tags={settings.guardedTools}
        placeholder="None"
        hint="Tools of agents, by exact name, that a person decides about as the questions above say."
        onChange={(guardedTools) => onChange("Change guarded tools", undefined, { guardedTools })}
      />
      <GivenLeave plan={plan} />
    </>
  );
}
