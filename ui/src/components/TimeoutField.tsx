import type { ReactElement } from "react";
import { DraftField } from "./DraftField";
import { formatDuration, parseDuration } from "./duration";
import type { FieldProps } from "./Field";

export interface TimeoutFieldProps extends FieldProps {
  /** Milliseconds; `null` for the default, `undefined` when the selected nodes differ. */
  value: number | null | undefined;
  placeholder: string;
  onChange: (milliseconds: number | null) => void;
}

/** The maximum duration of an attempt, as in "1h 30m". Empty means the default. */
export function TimeoutField(props: TimeoutFieldProps): ReactElement {
  const { value, onChange, ...field } = props;
  return (
    <DraftField
      {...field}
      value={value === null || value === undefined ? "" : formatDuration(value)}
      validate={(text) =>
        text.trim() === "" || parseDuration(text) !== undefined
          ? undefined
          : "Enter a duration such as “30m” or “1h 30m”."
      }
      onCommit={(text) => onChange(parseDuration(text) ?? null)}
    />
  );
}
