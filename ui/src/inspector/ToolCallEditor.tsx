import { ShieldAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { ToolCall, ToolInfo } from "@/api/bindings";
import { Combobox } from "@/components/Combobox";
import { SegmentedControl } from "@/components/SegmentedControl";
import type { SelectOption } from "@/components/Select";
import { ArgumentField } from "./ArgumentField";
import { JsonField } from "./JsonField";
import type { ReferenceableNode } from "./referenceExtension";
import { hiddenFromForm, missingArguments, parseArguments, withArgument } from "./toolSchema";
import { useAvailableTools } from "./useAvailableTools";

export interface ToolCallEditorProps {
  call: ToolCall;
  nameable: readonly ReferenceableNode[];
  /** Keystrokes with the same `field` are one undo step. */
  onChange: (label: string, call: ToolCall, field?: string) => void;
  error: string | undefined;
}

/** The tool and its arguments, as a form from the tool's schema or as JSON. */
export function ToolCallEditor(props: ToolCallEditorProps): ReactElement {
  const { call, nameable, onChange, error } = props;
  const { tools, silent, loading } = useAvailableTools();
  const tool = tools.find(({ name }) => name === call.toolName);

  return (
    <>
      <div className="flex flex-col gap-1">
        <Combobox
          label="Tool"
          value={call.toolName === "" ? [] : [call.toolName]}
          placeholder="Choose a tool"
          emptyText={loading ? "Loading tools…" : "No matches"}
          options={toolOptions(tools, call.toolName)}
          onCreate={(toolName) => onChange("Change tool", { ...call, toolName })}
          onChange={([toolName]) =>
            toolName !== undefined && onChange("Change tool", { ...call, toolName })
          }
          error={error}
          {...(tool?.description && { hint: tool.description })}
        />
        {!tool && silent.length > 0 && (
          <p className="text-12 text-faint" title={silent.join("\n")}>
            {silent.length === 1 ? "A tool server" : `${silent.length} tool servers`} didn't
            respond: {silent[0]}
          </p>
        )}
        {tool?.guarded && (
          <p className="flex items-center gap-1 text-12 text-faint">
            <ShieldAlert aria-hidden="true" className="size-3.5 shrink-0" />
            Guarded: it can change things outside the run.
          </p>
        )}
      </div>
      <Arguments key={call.toolName} {...{ call, nameable, onChange }} schema={tool?.arguments} />
    </>
  );
}

function toolOptions(tools: readonly ToolInfo[], chosen: string): SelectOption<string>[] {
  const options = tools.map(({ name, guarded }) => ({
    id: name,
    label: name,
    ...(guarded && { note: "guarded" }),
  }));
  const isForeign = chosen !== "" && !tools.some(({ name }) => name === chosen);
  return isForeign ? [...options, { id: chosen, label: chosen, note: "unknown" }] : options;
}

type ArgumentsProps = Pick<ToolCallEditorProps, "call" | "nameable" | "onChange"> & {
  schema: unknown;
};

function Arguments({ call, nameable, onChange, schema }: ArgumentsProps): ReactElement {
  const [asJson, setAsJson] = useState(false);
  const known = parseArguments(schema);
  const hidden = hiddenFromForm(known, call.toolArgs);
  const missing = missingArguments(known, call.toolArgs);
  const change = (toolArgs: Record<string, unknown>, field: string) =>
    onChange("Change arguments", { ...call, toolArgs }, field);

  if (known.length === 0 || asJson) {
    return (
      <div className="flex flex-col gap-1">
        {known.length > 0 && <FormOrJson asJson onChange={setAsJson} />}
        <JsonField
          label="Arguments"
          hint="A JSON object. Strings can reference outputs of earlier nodes: {{nodes.<id>.outputs.<key>}}"
          rows={6}
          value={call.toolArgs}
          faultOf={(value) => (isObject(value) ? undefined : "Enter an object: { … }")}
          onChange={(value) => change(isObject(value) ? value : {}, "arguments")}
        />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <FormOrJson asJson={false} onChange={setAsJson} />
      {known.map((argument) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          value={call.toolArgs[argument.name]}
          nameable={nameable}
          error={missing.includes(argument.name) ? `${argument.name} is required.` : undefined}
          onChange={(value) =>
            change(withArgument(call.toolArgs, argument.name, value), `argument ${argument.name}`)
          }
        />
      ))}
      {hidden.length > 0 && (
        <p className="text-12 text-faint">
          Also set (see JSON): <span className="font-mono">{hidden.join(", ")}</span>
        </p>
      )}
    </div>
  );
}

function FormOrJson(props: { asJson: boolean; onChange: (asJson: boolean) => void }): ReactElement {
  return (
    <div className="flex items-center justify-between">
      <span className="font-medium text-12 text-muted">Arguments</span>
      <SegmentedControl
        label="Argument format"
        value={props.asJson ? "json" : "form"}
        options={[
          { id: "form", label: "Form" },
          { id: "json", label: "JSON" },
        ]}
        onChange={(chosen) => props.onChange(chosen === "json")}
      />
    </div>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
