import { type ReactElement, useState } from "react";
import { formatNumber } from "./formatCount";
import { TextField } from "./TextField";

export interface NumberFieldProps {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/**
 * A whole number in a range. Invalid input stays in the field with an error and is not passed on.
 */
export function NumberField({
  label,
  hint,
  value,
  min,
  max,
  onChange,
}: NumberFieldProps): ReactElement {
  const [draft, setDraft] = useState<string | undefined>();
  const text = draft ?? String(value);
  const fits = (number: number) => Number.isInteger(number) && number >= min && number <= max;

  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      value={text}
      error={
        fits(Number(text)) && text.trim() !== ""
          ? undefined
          : `Enter a whole number from ${min} to ${formatNumber(max)}.`
      }
      className="max-w-28 tabular-nums"
      onChange={(next) => {
        setDraft(next);
        if (next.trim() !== "" && fits(Number(next))) onChange(Number(next));
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}
