import type { FileDiffView } from "@/api/bindings";
import { maxDiffRows } from "@/attempt/DiffView";
import { rowsOfFile } from "./placeComment";

/** How many lines are rendered before files are only listed. */
const maxInitialRows = 3_000;

/** The paths of the files that are open at first: as many as can be rendered at once. */
export function initiallyOpenFiles(files: readonly FileDiffView[]): Set<string> {
  const open = new Set<string>();
  let rows = 0;
  for (const file of files) {
    rows += Math.min(rowsOfFile(file).length, maxDiffRows) + 1;
    if (rows > maxInitialRows && open.size > 0) break;
    open.add(file.delta.path);
  }
  return open;
}
