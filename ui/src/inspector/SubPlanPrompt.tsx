import type { ReactElement } from "react";
import { ReferenceField } from "./ReferenceField";
import type { ReferenceableNode } from "./referenceExtension";

export interface SubPlanPromptProps {
  value: string | undefined;
  nameable: readonly ReferenceableNode[];
  onChange: (prompt: string) => void;
}

/** What the first nodes of the blueprint are told beside the handoffs that this node receives. */
export function SubPlanPrompt({ value, nameable, onChange }: SubPlanPromptProps): ReactElement {
  return (
    <ReferenceField
      label="Prompt"
      language="markdown"
      value={value ?? ""}
      nameable={nameable}
      placeholder="What the blueprint should do this time"
      hint="Its first nodes get this, with the handoffs that this node receives."
      onChange={onChange}
    />
  );
}
