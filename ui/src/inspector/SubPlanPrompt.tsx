import type { ReactElement } from "react";
import { ReferenceField } from "./ReferenceField";
import type { ReferenceableNode } from "./referenceExtension";

export interface SubPlanPromptProps {
  value: string | undefined;
  nameable: readonly ReferenceableNode[];
  onChange: (prompt: string) => void;
}

/** The prompt for the first nodes of the nested blueprint, in addition to the handoffs. */
export function SubPlanPrompt({ value, nameable, onChange }: SubPlanPromptProps): ReactElement {
  return (
    <ReferenceField
      label="Prompt"
      language="markdown"
      value={value ?? ""}
      nameable={nameable}
      placeholder="What the blueprint should do this time"
      hint="Its first nodes receive this, together with the handoffs for this node."
      onChange={onChange}
    />
  );
}
