import { type ReactElement, useState } from "react";
import type { EdgeRef, EdgeView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";

export interface HandoffPinEditorProps {
  target: EdgeRef;
  view: EdgeView;
  onClose: () => void;
}

/** Edits what a child receives over one edge. Other children still receive the parent's handoff. */
export function HandoffPinEditor({ target, view, onClose }: HandoffPinEditorProps): ReactElement {
  const pin = useMutationOperation("handoff_pin");
  const [text, setText] = useState(view.body);
  const isBlank = text.trim() === "";
  return (
    <div className="flex flex-col gap-3">
      <CodeField
        label="Text for this child"
        language="markdown"
        value={text}
        onChange={setText}
        hint="Only this child receives it, on every attempt in this run, until you unpin it."
        error={isBlank ? "Enter some text, or cancel and unpin it." : undefined}
      />
      {pin.error && (
        <p role="alert" className="text-12 text-danger-fg">
          {pin.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="small"
          kind="primary"
          busy={pin.isPending}
          disabled={isBlank}
          onClick={() =>
            pin.mutate({ ...target, text, artifact: view.artifact }, { onSuccess: onClose })
          }
        >
          Pin this text
        </Button>
      </div>
    </div>
  );
}
