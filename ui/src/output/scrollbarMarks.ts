/** The height of the picture of the marks. More marks than this would cover each other. */
export const marksHeight = 500;

/** The path of short lines at the positions, in a picture of `marksHeight`. */
export function marksPath(positions: Iterable<number>, size: number): string {
  if (size <= 0) return "";
  const lines = new Set<number>();
  for (const position of positions)
    lines.add(Math.min(marksHeight - 1, Math.floor((position / size) * marksHeight)));
  return [...lines].map((line) => `M0 ${line + 0.5}H1`).join("");
}
