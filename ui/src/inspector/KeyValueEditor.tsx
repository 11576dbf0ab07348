import { Plus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { IconButton } from "@/components/IconButton";
import { NameValueRow } from "@/components/NameValueRow";

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
        <NameValueRow
          // Rows have no identity other than their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          label={`${label}, ${at + 1}`}
          removeLabel={`Remove ${noun} ${at + 1}`}
          name={name}
          value={value}
          onChange={(...pair) => change(rows.with(at, pair))}
          onRemove={() => change(rows.toSpliced(at, 1))}
        />
      ))}
    </fieldset>
  );
}
