import { type ReactElement, useState } from "react";
import type { FieldProps } from "@/components/Field";
import { TextArea } from "@/components/TextArea";

export interface JsonFieldProps extends FieldProps {
  value: unknown;
  /** Returns why a valid JSON value is rejected. */
  faultOf?: (value: unknown) => string | undefined;
  /** `undefined` for an empty field. */
  onChange: (value: unknown) => void;
  rows?: number;
}

/** A value as JSON. Invalid JSON is kept in the field with an error, but not saved in the plan. */
export function JsonField(props: JsonFieldProps): ReactElement {
  const { value, faultOf, onChange, rows = 3, error, ...field } = props;
  const [draft, setDraft] = useState<string>();
  const text = draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2));
  const read = readJson(text);
  const fault = read.fault ?? (text.trim() === "" ? undefined : faultOf?.(read.value));

  return (
    <TextArea
      {...field}
      mono
      rows={rows}
      spellCheck={false}
      value={text}
      error={fault ?? error}
      onChange={(next) => {
        setDraft(next);
        const now = readJson(next);
        if (now.fault === undefined && !faultOf?.(now.value)) onChange(now.value);
      }}
      onBlur={() => fault === undefined && setDraft(undefined)}
    />
  );
}

function readJson(text: string): { value: unknown; fault: string | undefined } {
  if (text.trim() === "") return { value: undefined, fault: undefined };
  try {
    return { value: JSON.parse(text), fault: undefined };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it can't be parsed";
    return { value: undefined, fault: `Invalid JSON: ${why}` };
  }
}
