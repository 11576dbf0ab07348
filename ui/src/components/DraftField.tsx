import { type ReactElement, useState } from "react";
import type { FieldProps } from "./Field";
import { TextField } from "./TextField";

export interface DraftFieldProps extends FieldProps {
  /** What the plan says, as text. */
  value: string;
  /** Why a text cannot be taken; `undefined` when it can. */
  validate: (text: string) => string | undefined;
  onCommit: (text: string) => void;
  placeholder?: string;
  mono?: boolean;
}

/**
 * One line whose half-written states mean nothing, such as a span or an id. The plan hears of it on Enter or when the
 * field is left, and only if it can be taken; Escape goes back to what the plan says.
 */
export function DraftField(props: DraftFieldProps): ReactElement {
  const { value, validate, onCommit, error, placeholder, mono = false, ...field } = props;
  const [draft, setDraft] = useState<string>();
  const fault = draft === undefined ? undefined : validate(draft);

  function leave() {
    if (draft === undefined || fault !== undefined) return;
    setDraft(undefined);
    if (draft !== value) onCommit(draft);
  }

  return (
    <TextField
      {...field}
      value={draft ?? value}
      onChange={setDraft}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          // Taking the text may open a dialog; this key press must not reach its first button.
          event.preventDefault();
          leave();
        }
        if (event.key !== "Escape" || draft === undefined) return;
        event.stopPropagation();
        setDraft(undefined);
      }}
      error={fault ?? error}
      mono={mono}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}
