import { Plus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { IconButton } from "@/components/IconButton";
import { NameValueRow } from "@/components/NameValueRow";
import { type Env, type EnvRow, envNameError, fromEnvRows, toEnvRows } from "./envRows";

/**
 * The variables of a command, one per row. Rows without a valid name are kept here but not saved in
 * the plan.
 */
export function EnvEditor({
  env,
  onChange,
}: {
  env: Env;
  onChange: (env: Record<string, string>) => void;
}): ReactElement {
  const [draft, setDraft] = useState<EnvRow[]>();
  const rows = draft ?? toEnvRows(env);

  function change(next: EnvRow[]) {
    setDraft(next);
    const sound = next.filter((_, at) => envNameError(next, at) === undefined);
    const changed = fromEnvRows(sound);
    if (JSON.stringify(changed) !== JSON.stringify(env)) onChange(changed);
  }

  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1"
      onBlur={(event) => {
        const leaves = !event.currentTarget.contains(event.relatedTarget);
        if (leaves && rows.every((row, at) => row.name !== "" && !envNameError(rows, at)))
          setDraft(undefined);
      }}
    >
      <div className="flex h-6 items-center justify-between">
        <legend className="font-medium text-12 text-muted">Environment</legend>
        <IconButton
          size="small"
          label="Add variable"
          icon={<Plus />}
          onClick={() => change([...rows, { name: "", value: "" }])}
        />
      </div>
      {rows.map((row, at) => (
        <NameValueRow
          // Rows have no identity other than their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          label={`Variable ${at + 1}`}
          removeLabel={`Remove variable ${row.name || at + 1}`}
          {...row}
          namePlaceholder="NAME"
          error={envNameError(rows, at)}
          onChange={(name, value) => change(rows.with(at, { name, value }))}
          onRemove={() => change(rows.toSpliced(at, 1))}
        />
      ))}
    </fieldset>
  );
}
