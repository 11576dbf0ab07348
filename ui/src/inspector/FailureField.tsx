import { type ReactElement, useState } from "react";
import type { Node } from "@/api/bindings";
import { Select } from "@/components/Select";
import { useEditor } from "@/plan/editor";
import { type FailureChoice, failureChoice, failureHints, failureLabels } from "@/plan/policies";
import { nodeFieldError } from "./nodeFieldErrors";
import { TargetField } from "./TargetField";
import { useNodeEdit } from "./useNodeEdit";

const choices = Object.keys(failureLabels) as FailureChoice[];

/** What happens after the last attempt fails. "Another node" is saved once that node is chosen. */
export function FailureField({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  const [choosing, setChoosing] = useState(false);
  const storedChoice = failureChoice(node);
  const choice = choosing ? "node" : storedChoice;

  return (
    <>
      <Select<FailureChoice>
        label="After the last failure"
        value={choice}
        options={choices.map((id) => ({ id, label: failureLabels[id] }))}
        hint={failureHints[choice]}
        onChange={(chosen) => {
          setChoosing(chosen === "node" && choice !== "node");
          if (chosen !== "node")
            edit("Change failure rule", (now) => ({ ...now, onFailure: chosen }));
        }}
      />
      {choice === "node" && (
        <TargetField
          node={node}
          way="failure"
          label="Continue at"
          nowhere="No node chosen; the run ends"
          act="Change failure target"
          error={nodeFieldError(problems, node.id, "onFailure")}
        />
      )}
    </>
  );
}
