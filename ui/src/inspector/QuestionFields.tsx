import type { ReactElement } from "react";
import type { InputType, Node, NodeKind } from "@/api/bindings";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TimeoutField } from "@/components/TimeoutField";
import { useEditor } from "@/plan/editor";
import { FieldError } from "./FieldError";
import { ListEditor } from "./ListEditor";
import { nodeFieldError } from "./nodeFieldErrors";
import { ReferenceField } from "./ReferenceField";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type QuestionKind = Extract<NodeKind, { kind: "user_input" }>;

const inputTypes: { id: InputType; label: string }[] = [
  { id: "confirm", label: "Yes or no" },
  { id: "choice", label: "Multiple choice" },
  { id: "text", label: "Free text" },
];

const inputHints: Record<InputType, string> = {
  confirm: "The answer is “yes” or “no”.",
  choice: "The answer is one of the options.",
  text: "The answer is free text.",
};

/** The fields of a question to a person: text, type of answer and timeout. */
export function QuestionFields({ node, task }: { node: Node; task: QuestionKind }): ReactElement {
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  const editTask = useTaskEdit(node, task);

  return (
    <>
      <ReferenceField
        label="Question"
        language="markdown"
        value={task.question}
        nameable={nameable}
        placeholder="What do you want to ask?"
        hint="Asked in the Inbox. Type {{ to insert an output of an earlier node."
        error={nodeFieldError(problems, node.id, "question")}
        onChange={(question) => editTask("Edit question", { question }, "question")}
      />
      <div className="flex flex-col items-start gap-1">
        <span aria-hidden="true" className="font-medium text-12 text-muted">
          Answer
        </span>
        <SegmentedControl<InputType>
          label="Answer"
          value={task.inputType}
          options={inputTypes}
          onChange={(inputType) => editTask("Change answer type", { inputType })}
        />
        <p className="text-12 text-faint">
          {inputHints[task.inputType]} It becomes an output:{" "}
          <span className="font-mono">{`{{nodes.${node.slug}.outputs.answer}}`}</span>
        </p>
      </div>
      {task.inputType === "choice" && (
        <div className="flex flex-col gap-1">
          <ListEditor
            label="Options"
            noun="option"
            placeholder="An answer to choose"
            items={task.options}
            onChange={(options, at) =>
              editTask("Edit options", { options }, `option ${options.length} ${at}`)
            }
          />
          <FieldError
            error={
              nodeFieldError(problems, node.id, "options") ??
              (task.options.length === 0 ? "Add the answers to choose from." : undefined)
            }
          />
        </div>
      )}
      <TimeoutField
        label="Answer timeout"
        value={task.timeout}
        placeholder="No limit"
        hint="The node fails after this time. A waiting node doesn't count toward the parallel limit."
        onChange={(timeout) => editTask("Change answer timeout", { timeout })}
      />
    </>
  );
}
