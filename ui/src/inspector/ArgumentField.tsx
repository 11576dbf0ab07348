import type { ReactElement } from "react";
import { DraftField } from "@/components/DraftField";
import { InlineCodeText } from "@/components/InlineCodeText";
import { Select } from "@/components/Select";
import { Switch } from "@/components/Switch";
import { TextField } from "@/components/TextField";
import { JsonField } from "./JsonField";
import { KeyValueEditor } from "./KeyValueEditor";
import { ListEditor } from "./ListEditor";
import { ReferenceField } from "./ReferenceField";
import type { ReferenceableNode } from "./referenceExtension";
import { fitsForm, parseNumberOrTemplate, type ToolArgument } from "./toolSchema";

export interface ArgumentFieldProps {
  argument: ToolArgument;
  value: unknown;
  nameable: readonly ReferenceableNode[];
  error: string | undefined;
  onChange: (value: unknown) => void;
}

// Stands for "not set". Not a valid choice of a schema.
const notSet = " ";

/**
 * One argument of a tool, in the form that its schema suggests. A value that does not fit is shown
 * as JSON.
 */
export function ArgumentField(props: ArgumentFieldProps): ReactElement {
  const { argument, value, nameable, error, onChange } = props;
  const { name, description, required, choices, defaultValue } = argument;
  const field = {
    label: required ? name : `${name} (optional)`,
    ...(description !== "" && { hint: <InlineCodeText>{description}</InlineCodeText> }),
    error,
  };
  const text = typeof value === "string" ? value : "";
  const placeholder = defaultValue ?? "";

  switch (fitsForm(argument, value) ? argument.shape : "json") {
    case "text":
      if (choices.length > 0 && (text === "" || choices.includes(text))) {
        const options = choices.map((id) => ({ id, label: id }));
        return (
          <Select
            {...field}
            value={text === "" ? notSet : text}
            options={
              required ? options : [{ id: notSet, label: defaultValue ?? "Default" }, ...options]
            }
            onChange={(chosen) => onChange(chosen === notSet ? undefined : chosen)}
          />
        );
      }
      return (
        <TextField {...field} mono placeholder={placeholder} value={text} onChange={onChange} />
      );
    case "long":
      return (
        <ReferenceField
          {...field}
          language={name === "command" ? "shell" : "plain"}
          placeholder={placeholder}
          value={text}
          nameable={nameable}
          onChange={onChange}
        />
      );
    case "number":
      return (
        <DraftField
          {...field}
          placeholder={placeholder}
          value={value === undefined ? "" : String(value)}
          validate={(draft) =>
            parseNumberOrTemplate(draft) === undefined
              ? "Enter a number, or {{nodes.…}} to use an output of an earlier node."
              : undefined
          }
          onCommit={(draft) => onChange(parseNumberOrTemplate(draft))}
        />
      );
    case "boolean":
      return (
        <Switch
          label={field.label}
          hint={<InlineCodeText>{description}</InlineCodeText>}
          checked={value === true}
          onChange={(on) => onChange(on || required ? on : undefined)}
        />
      );
    case "texts":
      return (
        <ListEditor
          label={field.label}
          noun={name}
          placeholder=""
          mono
          items={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case "pairs":
      return (
        <KeyValueEditor
          label={field.label}
          noun={`${name} entry`}
          pairs={(value ?? {}) as Record<string, string>}
          onChange={onChange}
        />
      );
    case "json":
      return <JsonField {...field} value={value} onChange={onChange} />;
  }
}
