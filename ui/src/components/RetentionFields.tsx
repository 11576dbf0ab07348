import type { ReactElement } from "react";
import type { Retention } from "@/api/bindings";
import { OptionalNumberField } from "./OptionalNumberField";
import { describeRetention, maxKeptRuns, maxRetentionDays } from "./retentionText";

/** A rule for which runs are kept, and when a blueprint is archived. */
export function RetentionFields({
  value,
  onChange,
}: {
  value: Retention;
  onChange: (value: Retention) => void;
}): ReactElement {
  const set = (part: Partial<Retention>) => onChange({ ...value, ...part });
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-2">
        <OptionalNumberField
          label="Newest runs to keep"
          placeholder="All"
          value={value.keepLast}
          min={1}
          max={maxKeptRuns}
          onChange={(keepLast) => set({ keepLast })}
        />
        <OptionalNumberField
          label="Days to keep runs"
          placeholder="All"
          value={value.keepDays}
          min={1}
          max={maxRetentionDays}
          onChange={(keepDays) => set({ keepDays })}
        />
      </div>
      <p className="text-12 text-faint">
        {describeRetention(value)} Older ones are deleted, except those that are running, wait for
        an answer or have work that isn't merged.
      </p>
      <OptionalNumberField
        label="Archive after days without activity"
        hint="Archived blueprints are hidden from the list. Leave empty to never archive."
        placeholder="Never"
        value={value.archiveAfterDays}
        min={1}
        max={maxRetentionDays}
        onChange={(archiveAfterDays) => set({ archiveAfterDays })}
      />
    </div>
  );
}
