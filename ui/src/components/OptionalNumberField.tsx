import type { ReactElement } from "react";
import { DraftField } from "./DraftField";
import type { FieldProps } from "./Field";
import { formatNumber } from "./formatCount";

export interface OptionalNumberFieldProps extends FieldProps {
  /** `null` for the default. */
  value: number | null;
  /** The default value, shown in the empty field. */
  placeholder: string;
  min: number;
  max: number;
  onChange: (value: number | null) => void;
}

/** A whole number in a range. Empty means the default. */
export function OptionalNumberField(props: OptionalNumberFieldProps): ReactElement {
  const { value, min, max, onChange, ...field } = props;
  return (
    <DraftField
      {...field}
      value={value === null ? "" : String(value)}
      validate={(text) => {
        const number = Number(text);
        const fits = /^\d+$/.test(text.trim()) && number >= min && number <= max;
        return fits || text.trim() === ""
          ? undefined
          : `Enter a whole number from ${min} to ${formatNumber(max)}.`;
      }}
      onCommit={(text) => onChange(text.trim() === "" ? null : Number(text))}
    />
  );
}
