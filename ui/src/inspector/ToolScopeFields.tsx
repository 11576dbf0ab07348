import type { ReactElement } from "react";
import type { ToolScopeMode } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Select } from "@/components/Select";
import { TagList } from "@/components/TagList";

/** What happens with tools outside a node's list, for a plan or a node. */
export const toolScopeModes: { id: ToolScopeMode; label: string; hint: string }[] = [
  {
    id: "by_level",
    label: "Based on autonomy level",
    hint: "Levels 0 and 1 ask about other tools. Level 2 asks only about those that can make changes, level 3 blocks them, and level 4 allows them.",
  },
  { id: "off", label: "Off", hint: "The list is only a hint for the agent." },
  {
    id: "log",
    label: "Log",
    hint: "Other tools are handled as in a node without a list. Calls that Enforce would block are logged.",
  },
  {
    id: "enforce",
    label: "Enforce",
    hint: "Other tools are blocked at autonomy levels 1 to 3, and the agent sees the allowed list. Level 0 asks. At level 4 they run, and each call is recorded.",
  },
];

// Not the ID of any mode.
const asPlan = "plan_default";

interface ToolScopeFieldsProps {
  tools: readonly string[];
  mode: ToolScopeMode | null;
  /** The agent's ID; null for the default agent. */
  agent: string | null;
  onTools: (tools: string[]) => void;
  onMode: (mode: ToolScopeMode | null) => void;
}

/** The allowed tools of a node, and how strictly the list is enforced with the chosen agent. */
export function ToolScopeFields(props: ToolScopeFieldsProps): ReactElement {
  const { tools, mode, agent, onTools, onMode } = props;
  const agents = useOperation("agents_list", {});
  const chosen = agents.data?.find(({ id, default: is }) => (agent === null ? is : id === agent));
  return (
    <>
      <TagList
        label="Tools"
        tags={tools}
        placeholder="Any tool, including the shell"
        hint="The tools that the agent may use. Without a list, it may use any tool that the autonomy level allows, including the shell."
        onChange={onTools}
      />
      <Select
        label="Tools outside the list"
        value={mode ?? asPlan}
        options={[
          { id: asPlan, label: "Blueprint default" },
          ...toolScopeModes.map(({ id, label }) => ({ id, label })),
        ]}
        hint={
          [toolScopeModes.find(({ id }) => id === mode)?.hint, chosen?.reach.sentence]
            .filter((part) => part !== undefined)
            .join(" ") || undefined
        }
        onChange={(next) => onMode(toolScopeModes.find(({ id }) => id === next)?.id ?? null)}
      />
    </>
  );
}
