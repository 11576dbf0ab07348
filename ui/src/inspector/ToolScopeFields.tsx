import type { ReactElement } from "react";
import type { ToolScopeMode } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Select } from "@/components/Select";
import { TagList } from "@/components/TagList";

/** How strictly a list of tools binds, for a plan or a node. */
export const toolScopeModes: { id: ToolScopeMode; label: string; hint: string }[] = [
  {
    id: "by_level",
    label: "Based on autonomy",
    hint: "Levels 0 and 1 ask about other tools. Level 2 asks about those that do more than look, level 3 refuses these, level 4 lets them run.",
  },
  { id: "off", label: "Off", hint: "The list is only a hint for the agent." },
  {
    id: "log",
    label: "Log",
    hint: "Other tools run unless the autonomy says otherwise for a node without a list, and each call is written down as one that would have been blocked.",
  },
  {
    id: "enforce",
    label: "Enforce",
    hint: "Other tools are blocked at autonomy levels 1 to 3, and the agent sees the allowed list. Level 0 asks. At level 4 they run, and each call is recorded.",
  },
];

// No mode is called so.
const asPlan = "as the plan says";

interface ToolScopeFieldsProps {
  tools: readonly string[];
  mode: ToolScopeMode | null;
  /** The agent's id; null is the default one. */
  agent: string | null;
  onTools: (tools: string[]) => void;
  onMode: (mode: ToolScopeMode | null) => void;
}

/** The tools of a node, how strictly the list binds, and how far the agent can be held to it. */
export function ToolScopeFields(props: ToolScopeFieldsProps): ReactElement {
  const { tools, mode, agent, onTools, onMode } = props;
  const agents = useOperation("agents_list", {});
  const chosen = agents.data?.find(({ id, default: is }) => (agent === null ? is : id === agent));
  return (
    <>
      <TagList
        label="Tools"
        tags={tools}
        placeholder="Any tool, the shell included"
        hint="The tools that the agent may use. Without a list it may use any tool, the shell included, as far as the autonomy allows."
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
