import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import { useEditor } from "@/plan/editor";
import { commandText, parseArgv } from "./commandText";
import { EnvEditor } from "./EnvEditor";
import { FieldError } from "./FieldError";
import { ListEditor } from "./ListEditor";
import { nodeFieldError } from "./nodeFieldErrors";
import { ReferenceField } from "./ReferenceField";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type CommandKind = Extract<NodeKind, { kind: "command" }>;

/** The fields of a command node: command, directory and environment. */
export function CommandFields({ node, task }: { node: Node; task: CommandKind }): ReactElement {
  const editTask = useTaskEdit(node, task);
  const problems = useEditor((editor) => editor.problems);
  const { command } = task;

  return (
    <>
      <div className="flex flex-col items-stretch gap-1.5 [&>:last-child]:self-start">
        <CommandLineField
          node={node}
          command={command}
          onChange={(next, field) => editTask("Edit command", { command: next }, field)}
        />
        <FieldError error={nodeFieldError(problems, node.id, "command")} />
        <SegmentedControl
          label="Command type"
          value={typeof command === "string" ? "shell" : "argv"}
          options={[
            { id: "shell", label: "Shell" },
            { id: "argv", label: "Arguments" },
          ]}
          onChange={(form) =>
            editTask("Change command type", {
              command: form === "shell" ? commandText(command) : parseArgv(commandText(command)),
            })
          }
        />
      </div>
      <TextField
        label="Directory"
        mono
        value={task.cwd ?? ""}
        placeholder="The blueprint's directory"
        onChange={(cwd) => editTask("Change directory", { cwd: cwd || null }, "cwd")}
      />
      <EnvEditor env={task.env} onChange={(env) => editTask("Edit environment", { env }, "env")} />
      <FieldError error={nodeFieldError(problems, node.id, "env")} />
    </>
  );
}

interface CommandLineFieldProps {
  node: Node;
  command: CommandKind["command"];
  onChange: (command: CommandKind["command"], field: string) => void;
}

function CommandLineField({ node, command, onChange }: CommandLineFieldProps): ReactElement {
  const nameable = useReferenceableNodes(node);
  if (typeof command === "string") {
    return (
      <ReferenceField
        label="Command"
        language="shell"
        value={command}
        nameable={nameable}
        placeholder="make test"
        hint="Runs with sh -c. Lines like key=value in $BATON_OUTPUT become outputs. A {{value}} is always a single argument; {{… | split}} splits it."
        onChange={(text) => onChange(text, "command")}
      />
    );
  }
  return (
    <ListEditor
      label="Program and arguments"
      noun="argument"
      mono
      placeholder="argument"
      items={command}
      onChange={(words, at) => onChange(words, `argument ${words.length} ${at}`)}
    />
  );
}
