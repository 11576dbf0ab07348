import type { OutputState } from "./OutputReader";

/** Where the thumb of the scroll bar is, as shares of the track. */
export interface ThumbPlace {
  top: number;
  height: number;
}

/** The smallest thumb, in pixels, that can be grabbed. */
const minThumb = 24;

/**
 * The place of the thumb. It shows positions in bytes, because the number of rows is unknown, and
 * touches the ends of the track exactly at the ends of the output.
 */
export function thumbPlace(state: OutputState, trackHeight: number): ThumbPlace {
  const { visible, size, atStart, atEnd } = state;
  if (!visible || size === 0 || (atStart && atEnd)) return { top: 0, height: 1 };
  const seen = Math.max(1, visible.last - visible.first);
  const least = trackHeight > 0 ? minThumb / trackHeight : 0;
  const height = Math.min(1, Math.max(least, seen / size));
  const share = atStart ? 0 : atEnd ? 1 : Math.min(1, visible.first / Math.max(1, size - seen));
  return { top: share * (1 - height), height };
}

/** The position to show at the upper edge if the thumb begins at a share of the track. */
export function positionAt(top: number, { height }: ThumbPlace, size: number): number {
  const share = height >= 1 ? 0 : Math.max(0, Math.min(1, top / (1 - height)));
  return Math.floor(share * size);
}
