// biome-ignore-all lint/a11y/useSemanticElements: an option of a listbox controlled by the field
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field above handles keys
// biome-ignore-all lint/a11y/useFocusableInteractive: the field above keeps the focus
import { ChevronRight } from "lucide-react";
import { memo, type ReactElement } from "react";
import { classes } from "@/components/classes";
import { Kbd } from "@/components/Kbd";
import type { PaletteEntry } from "./paletteEntries";
import { lineId } from "./paletteIds";

/** One row. Unavailable commands can be reached too and show the reason. */
export const PaletteRow = memo(function PaletteRow({
  entry,
  active,
  withSection,
  onPoint,
  onChoose,
}: {
  entry: PaletteEntry;
  active: boolean;
  withSection: boolean;
  onPoint: (id: string) => void;
  onChoose: (entry: PaletteEntry) => void;
}): ReactElement {
  const { id, label, detail, icon, keys, refusal, section } = entry;
  return (
    <div
      id={lineId(id)}
      role="option"
      aria-selected={active}
      aria-disabled={refusal !== undefined}
      onPointerMove={() => active || onPoint(id)}
      onClick={() => onChoose(entry)}
      className="flex h-8 cursor-default items-center gap-2 rounded-control px-2 text-13 aria-selected:bg-accent-tint [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      {/* If both are long, each gets half of the row; otherwise the long one gets the rest. */}
      <span className="grid min-w-0 flex-1 auto-cols-[minmax(0,auto)] grid-flow-col items-center justify-start gap-2">
        <span
          dir="auto"
          title={label}
          className={classes("truncate", refusal !== undefined && "text-muted")}
        >
          {label}
          {"choices" in entry && "…"}
        </span>
        {detail && (
          <span dir="auto" title={detail} className="truncate text-12 text-faint">
            {detail}
          </span>
        )}
      </span>
      <span className="flex shrink-0 items-center gap-2 pl-4 text-12 text-faint">
        {refusal !== undefined && (
          <span title={refusal} className="max-w-64 truncate">
            {refusal}
          </span>
        )}
        {withSection && section !== "" && refusal === undefined && <span>{section}</span>}
        {keys && <Kbd keys={keys} />}
        {"choices" in entry && <ChevronRight className="size-3.5" aria-hidden="true" />}
      </span>
    </div>
  );
});
