import type { ReactElement } from "react";
import type { AgentView, Node, NodeKind } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Select, type SelectOption } from "@/components/Select";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { ListEditor } from "./ListEditor";
import { ReferenceField } from "./ReferenceField";
import { TagList } from "./TagList";
import { useNameable } from "./useNameable";
import { useNodeEdit } from "./useNodeEdit";

type AgentKind = Extract<NodeKind, { kind: "agent" }>;

/** What an agent is asked to do, by whom, and what must be true afterwards. */
export function AgentFields({ node, task }: { node: Node; task: AgentKind }): ReactElement {
  const edit = useNodeEdit(node.id);
  const nameable = useNameable(node);
  const editTask = (label: string, change: Partial<AgentKind>, field?: string) =>
    edit(label, (now) => ({ ...now, kind: { ...task, ...change } }), field);

  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <AgentSelect value={task.agent} onChange={(agent) => editTask("Change agent", { agent })} />
        <TextField
          label="Model"
          value={task.model ?? ""}
          placeholder="Agent's choice"
          onChange={(model) => editTask("Change model", { model: model || null }, "model")}
        />
      </div>
      <ReferenceField
        label="Prompt"
        language="markdown"
        value={task.prompt}
        nameable={nameable}
        placeholder={
          node.description ? "The description is the prompt" : "What shall the agent do?"
        }
        hint="Markdown. Type {{ to name an output of an earlier node."
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
      <ListEditor
        label="Acceptance criteria"
        noun="criterion"
        placeholder="A sentence that must be true afterwards"
        items={node.acceptanceCriteria}
        onChange={(acceptanceCriteria, at) =>
          edit(
            "Edit acceptance criteria",
            (now) => ({ ...now, acceptanceCriteria }),
            `criterion ${acceptanceCriteria.length} ${at}`,
          )
        }
      />
      <TextArea
        label="Instructions"
        dir="auto"
        value={node.instructions}
        placeholder="How to go about it"
        onChange={(instructions) =>
          edit("Edit instructions", (now) => ({ ...now, instructions }), "instructions")
        }
      />
      <TagList
        label="Tools"
        tags={node.toolsRequired}
        placeholder="Any tool"
        hint="The only tools that the agent may use; none means no limit."
        onChange={(toolsRequired) => edit("Change tools", (now) => ({ ...now, toolsRequired }))}
      />
    </>
  );
}

// Ids of agents have no spaces, so this one is free.
const defaultAgent = "default agent";

function AgentSelect({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (agent: string | null) => void;
}): ReactElement {
  const agents = useOperation("agents_list", {});
  const known = agents.data ?? [];
  const chosen = known.find((agent) => (value === null ? agent.default : agent.id === value));
  const missing = chosen && chosen.path === null;

  return (
    <Select
      label="Agent"
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
