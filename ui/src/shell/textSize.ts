import { setAppStateValue, useAppState } from "./appState";

/** The text sizes, in percent. They scale everything except the graph, which has its own zoom. */
export const textSizes = [100, 115, 130, 150, 200] as const;

export type TextSize = (typeof textSizes)[number];

const name = "textSize";

/** The text size of this window, and a function to change it. */
export function useTextSize(): { size: TextSize; choose: (size: TextSize) => void } {
  const size = useAppState(({ ui }) => asTextSize(ui[name]));
  return { size, choose: (next) => setAppStateValue(name, next) };
}

/** Applies the chosen size to the page until the returned function is called. */
export function followTextSize(): () => void {
  apply(useAppState.getState().ui[name]);
  return useAppState.subscribe(({ ui }) => apply(ui[name]));
}

/** Validates a stored size; falls back to 100. */
export function asTextSize(value: unknown): TextSize {
  return textSizes.find((size) => size === value) ?? 100;
}

/** At 100%, nothing is set, so that the browser's own font size applies. */
function apply(value: unknown): void {
  const size = asTextSize(value);
  document.documentElement.style.fontSize = size === 100 ? "" : `${size}%`;
}
