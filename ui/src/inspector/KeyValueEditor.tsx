import { Plus, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";

export interface KeyValueEditorProps {
  label: string;
  /** The name of one row, such as "header". */
  noun: string;
  pairs: Readonly<Record<string, string>>;
  onChange: (pairs: Record<string, string>) => void;
}

type Pair = [name: string, value: string];

/** Name-value pairs, one per row. Rows without a name are kept here but not saved in the plan. */
export function KeyValueEditor({
  label,
  noun,
  pairs,
  onChange,
}: KeyValueEditorProps): ReactElement {
  const [draft, setDraft] = useState<Pair[]>();
  const rows: Pair[] = draft ?? Object.entries(pairs);

  function change(next: Pair[]) {
    setDraft(next);
    const named = Object.fromEntries(next.filter(([name]) => name.trim() !== ""));
    if (JSON.stringify(named) !== JSON.stringify(pairs)) onChange(named);
  }

  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1"
      onBlur={(event) => {
        const leaves = !event.currentTarget.contains(event.relatedTarget);
        if (leaves && rows.every(([name]) => name.trim() !== "")) setDraft(undefined);
      }}
    >
      <div className="flex h-6 items-center justify-between">
        <legend className="font-medium text-12 text-muted">{label}</legend>
        <IconButton
          size="small"
          label={`Add ${noun}`}
          icon={<Plus />}
          onClick={() => change([...rows, ["", ""]])}
        />
      </div>
      {rows.map(([name, value], at) => (
        <div
          // Rows have no identity other than their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_--spacing(6)] items-center gap-1"
        >
          <input
            aria-label={`${label}, ${at + 1}, name`}
            value={name}
            placeholder="name"
            onChange={(event) => change(rows.with(at, [event.target.value, value]))}
            className={classes(inputClasses, "h-7 font-mono text-12")}
          />
          <input
            aria-label={`${label}, ${at + 1}, value`}
            value={value}
            placeholder="value"
            onChange={(event) => change(rows.with(at, [name, event.target.value]))}
            className={classes(inputClasses, "h-7 font-mono text-12")}
          />
          <IconButton
            size="small"
            label={`Remove ${noun} ${at + 1}`}
            icon={<X />}
            onClick={() => change(rows.toSpliced(at, 1))}
          />
        </div>
      ))}
    </fieldset>
  );
}
