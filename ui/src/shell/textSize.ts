import { setAppStateValue, useAppState } from "./appState";

/** In percent of the usual size. Everything but the graph grows along; the graph has its own zoom. */
export const textSizes = [100, 115, 130, 150, 200] as const;

export type TextSize = (typeof textSizes)[number];

const name = "textSize";

/** The size of all text in this window, and the way to choose it. */
export function useTextSize(): { size: TextSize; choose: (size: TextSize) => void } {
  const size = useAppState(({ ui }) => asTextSize(ui[name]));
  return { size, choose: (next) => setAppStateValue(name, next) };
}

/** Holds the page to the chosen size until the returned function is called. */
export function followTextSize(): () => void {
  apply(useAppState.getState().ui[name]);
  return useAppState.subscribe(({ ui }) => apply(ui[name]));
}

/** The value comes from a file: what is no size counts as the usual one. */
export function asTextSize(value: unknown): TextSize {
  return textSizes.find((size) => size === value) ?? 100;
}

/** At the usual size nothing is set, so that a larger font in the browser's own settings counts. */
function apply(value: unknown): void {
  const size = asTextSize(value);
  document.documentElement.style.fontSize = size === 100 ? "" : `${size}%`;
}
