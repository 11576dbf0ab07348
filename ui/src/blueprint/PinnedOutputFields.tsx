import { Plus } from "lucide-react";
import { type ReactElement, useId } from "react";
import type { OutputRead } from "@/api/bindings";
import { formatList } from "@/components/formatList";
import { IconButton } from "@/components/IconButton";
import { NameValueRow } from "@/components/NameValueRow";
import { useEditor } from "@/plan/editor";
import { nodesById } from "@/plan/nodesById";
import { displayTitle } from "@/plan/nodeText";
import { outputRowError, type PinnedOutputRow } from "./pinnedOutputRows";

export interface PinnedOutputFieldsProps {
  rows: readonly PinnedOutputRow[];
  /** The outputs of the node that others read. */
  reads: readonly OutputRead[];
  onChange: (rows: PinnedOutputRow[]) => void;
}

/** The named outputs of a pin, one per row, with the nodes that read them. */
export function PinnedOutputFields({
  rows,
  reads,
  onChange,
}: PinnedOutputFieldsProps): ReactElement {
  const id = useId();
  const plan = useEditor((state) => state.plan);
  const nodes = nodesById(plan);
  const readers = new Map(
    reads.map(({ name, by }) => [
      name,
      formatList(by.map((id) => displayTitle(nodes.get(id)?.title ?? ""))),
    ]),
  );
  const note = ({ name, value, isOffered }: PinnedOutputRow) => {
    const by = readers.get(name.trim());
    if (by === undefined) return undefined;
    return isOffered && value === "" ? `Not pinned, but read by ${by}` : `Read by ${by}`;
  };
  return (
    <fieldset aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <div className="flex h-6 items-center justify-between">
        <span id={id} className="font-medium text-12 text-muted">
          Named outputs
        </span>
        <IconButton
          size="small"
          label="Add named output"
          icon={<Plus />}
          onClick={() => onChange([...rows, { name: "", value: "" }])}
        />
      </div>
      {rows.map((row, at) => (
        <NameValueRow
          // Rows have no identity other than their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          label={`Named output ${at + 1}`}
          removeLabel={`Remove named output ${row.name.trim() || at + 1}`}
          name={row.name}
          value={row.value}
          error={outputRowError(rows, at)}
          note={note(row)}
          onChange={(name, value) => onChange(rows.with(at, changedRow(row, name, value)))}
          onRemove={() => onChange(rows.toSpliced(at, 1))}
        />
      ))}
      {rows.length === 0 && (
        <p className="text-12 text-faint">No node reads a named output of this one.</p>
      )}
    </fieldset>
  );
}

/** A row that was offered becomes the person's own with another name. */
function changedRow(row: PinnedOutputRow, name: string, value: string): PinnedOutputRow {
  return name === row.name ? { ...row, value } : { name, value };
}
