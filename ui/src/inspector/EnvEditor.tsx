import { Plus, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";
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
        // Rows have no identity other than their position.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={at}>
          <Row
            row={row}
            at={at}
            error={envNameError(rows, at)}
            onChange={(next) => change(rows.with(at, next))}
            onRemove={() => change(rows.toSpliced(at, 1))}
          />
        </div>
      ))}
    </fieldset>
  );
}

interface RowProps {
  row: EnvRow;
  at: number;
  error: string | undefined;
  onChange: (row: EnvRow) => void;
  onRemove: () => void;
}

function Row({ row, at, error, onChange, onRemove }: RowProps): ReactElement {
  const look = classes(inputClasses, "h-7 font-mono text-12");
  return (
    <>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_--spacing(6)] items-center gap-1">
        <input
          aria-label={`Variable ${at + 1}, name`}
          aria-invalid={error === undefined ? undefined : true}
          value={row.name}
          placeholder="NAME"
          onChange={(event) => onChange({ ...row, name: event.target.value })}
          className={look}
        />
        <input
          aria-label={`Variable ${at + 1}, value`}
          value={row.value}
          placeholder="value"
          onChange={(event) => onChange({ ...row, value: event.target.value })}
          className={look}
        />
        <IconButton
          size="small"
          label={`Remove variable ${row.name || at + 1}`}
          icon={<X />}
          onClick={onRemove}
        />
      </div>
      {error && (
        <p role="alert" className="text-12 text-danger-fg">
          {error}
        </p>
      )}
    </>
  );
}
