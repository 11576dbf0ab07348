import type { ReactElement } from "react";
import { DraftField } from "@/components/DraftField";
import type { FieldProps } from "@/components/Field";

export interface MixedNumberFieldProps extends FieldProps {
  /** `undefined` if the selected nodes differ. */
  value: number | undefined;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/** A whole number from `min` to `max`. Shows "Mixed" if several nodes differ. */
export function MixedNumberField(props: MixedNumberFieldProps): ReactElement {
  const { value, min, max, onChange, ...field } = props;
  return (
    <DraftField
      {...field}
      value={value === undefined ? "" : String(value)}
      placeholder={value === undefined ? "Mixed" : ""}
      validate={(text) => {
        const number = Number(text);
        const fits = /^\d+$/.test(text.trim()) && number >= min && number <= max;
        return fits || (text === "" && value === undefined)
          ? undefined
          : `Enter a whole number from ${min} to ${max}.`;
      }}
      onCommit={(text) => text.trim() !== "" && onChange(Number(text))}
    />
  );
}
