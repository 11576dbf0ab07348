import type { ReactElement } from "react";
import { DraftField } from "@/components/DraftField";
import type { FieldProps } from "@/components/Field";

export interface NumberFieldProps extends FieldProps {
  /** `undefined` where several nodes differ. */
  value: number | undefined;
  least: number;
  most: number;
  onChange: (value: number) => void;
}

/** A whole number in a range. */
export function NumberField(props: NumberFieldProps): ReactElement {
  const { value, least, most, onChange, ...field } = props;
  return (
    <DraftField
      {...field}
      value={value === undefined ? "" : String(value)}
      placeholder={value === undefined ? "Mixed" : ""}
      faultOf={(text) => {
        const number = Number(text);
        const fits = /^\d+$/.test(text.trim()) && number >= least && number <= most;
        return fits || (text === "" && value === undefined)
          ? undefined
          : `Use a whole number from ${least} to ${most}.`;
      }}
      onTake={(text) => text.trim() !== "" && onChange(Number(text))}
    />
  );
}
