import type { ReactElement } from "react";
import type { PlanSettings } from "@/api/bindings";
import { Select } from "@/components/Select";
import { TagList } from "@/components/TagList";
import { toolScopeModes } from "@/inspector/ToolScopeFields";
import { GrantedPermissions } from "./GrantedPermissions";

interface AgentToolFieldsProps {
  plan: string;
  settings: PlanSettings;
  onChange: (label: string, key: string | undefined, part: Partial<PlanSettings>) => void;
}

/** Which tools the agents of a plan may use, and which permissions they have been given. */
export function AgentToolFields({ plan, settings, onChange }: AgentToolFieldsProps): ReactElement {
  return (
    <>
      <Select
        label="Tools outside a node's list"
        options={toolScopeModes.map(({ id, label }) => ({ id, label }))}
        value={settings.toolScope}
        hint={toolScopeModes.find(({ id }) => id === settings.toolScope)?.hint}
        onChange={(toolScope) =>
          onChange("Change handling of tools outside the list", "plan.toolScope", { toolScope })
        }
      />
      <TagList
        label="Default tools"
        tags={settings.toolsRequired ?? []}
        placeholder="Any"
        hint="Exact names of the tools that agents of nodes without a list may use."
        onChange={(toolsRequired) => onChange("Change default tools", undefined, { toolsRequired })}
      />
      <TagList
        label="Guarded tools"
        tags={settings.guardedTools}
        placeholder="None"
        hint="Exact names of agent tools that need approval, depending on the autonomy level."
        onChange={(guardedTools) => onChange("Change guarded tools", undefined, { guardedTools })}
      />
      <GrantedPermissions plan={plan} />
    </>
  );
}
