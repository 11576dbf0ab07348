import type { SortColumn } from "./filterAndSort";

/** Hides a column in a narrow list, or with large text. */
export const mediumWidthOnly = "hidden @min-[48rem]:table-cell";

/** Hides a column where the title would have no room: with large text in a small window. */
export const notNarrow = "hidden @min-[32rem]:table-cell";

/** The columns of the table between the star and the menu. */
export const planColumns: { id: SortColumn; label: string; className?: string }[] = [
  { id: "title", label: "Title" },
  { id: "review", label: "Review", className: `${mediumWidthOnly} w-26` },
  { id: "run", label: "Last run", className: "w-38" },
  { id: "progress", label: "Progress", className: `${notNarrow} w-40` },
  { id: "lastRun", label: "Started", className: `${mediumWidthOnly} w-34 @min-[76rem]:w-40` },
  { id: "directory", label: "Directory", className: `${mediumWidthOnly} w-34 @min-[76rem]:w-40` },
  { id: "tags", label: "Tags", className: "hidden w-44 @min-[76rem]:table-cell" },
];
