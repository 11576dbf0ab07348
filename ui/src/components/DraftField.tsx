import { type ReactElement, useState } from "react";
import type { FieldProps } from "./Field";
import { TextField } from "./TextField";

export interface DraftFieldProps extends FieldProps {
  /** The current value in the blueprint, as text. */
  value: string;
  /** Returns why a text is invalid; `undefined` when it is valid. */
  validate: (text: string) => string | undefined;
  onCommit: (text: string) => void;
  placeholder?: string;
  mono?: boolean;
}

/**
 * A single-line field whose incomplete values are invalid, such as a duration or an id. The text is
 * committed on Enter or when the field loses the focus, and only if it is valid; Escape restores
 * the value.
 */
export function DraftField(props: DraftFieldProps): ReactElement {
  const { value, validate, onCommit, error, placeholder, mono = false, ...field } = props;
  const [draft, setDraft] = useState<string>();
  const fault = draft === undefined ? undefined : validate(draft);

  function commit() {
    if (draft === undefined || fault !== undefined) return;
    setDraft(undefined);
    if (draft !== value) onCommit(draft);
  }

  return (
    <TextField
      {...field}
      value={draft ?? value}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          // Committing may open a dialog; this key press must not reach its first button.
          event.preventDefault();
          commit();
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
