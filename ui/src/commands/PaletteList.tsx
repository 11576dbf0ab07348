// biome-ignore-all lint/a11y/useSemanticElements: a datalist can't show headings or reasons
import { type ReactElement, useEffect, useId } from "react";
import { PaletteRow } from "./PaletteRow";
import type { PaletteEntry } from "./paletteEntries";
import { lineId, listId } from "./paletteIds";
import type { PaletteSection } from "./paletteSections";

interface ListProps {
  /** The row that Enter chooses. */
  active: string | undefined;
  /** Search results have no headings, so each row shows its section. */
  searching: boolean;
  onPoint: (id: string) => void;
  onChoose: (entry: PaletteEntry) => void;
}

/** The rows of the palette under their headings. The focus stays in the field above. */
export function PaletteList({
  sections,
  ...list
}: ListProps & { sections: readonly PaletteSection[] }): ReactElement {
  const { active } = list;
  useEffect(() => {
    if (active !== undefined)
      document.getElementById(lineId(active))?.scrollIntoView({ block: "nearest" });
  }, [active]);

  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className="min-h-0 flex-1 scroll-py-1.5 overflow-auto p-1.5 outline-none empty:hidden"
    >
      {sections
        .filter(({ entries }) => entries.length > 0)
        .map((section) =>
          section.heading === undefined ? (
            <PaletteRows key="found" entries={section.entries} {...list} />
          ) : (
            <PaletteGroup key={section.heading} heading={section.heading} {...list}>
              {section.entries}
            </PaletteGroup>
          ),
        )}
    </div>
  );
}

function PaletteGroup({
  heading,
  children,
  ...list
}: ListProps & { heading: string; children: readonly PaletteEntry[] }): ReactElement {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="px-2 pt-2 pb-0.5 text-11 text-faint">
        {heading}
      </div>
      <PaletteRows entries={children} {...list} />
    </div>
  );
}

function PaletteRows({
  entries,
  active,
  searching,
  onPoint,
  onChoose,
}: ListProps & { entries: readonly PaletteEntry[] }): ReactElement[] {
  return entries.map((entry) => (
    <PaletteRow
      key={entry.id}
      entry={entry}
      active={entry.id === active}
      withSection={searching}
      onPoint={onPoint}
      onChoose={onChoose}
    />
  ));
}
