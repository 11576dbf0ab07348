import { setAppStateValue, useAppState } from "./appState";

/** What closing the window does while runs go on. */
export type CloseBehavior = "ask" | "background" | "quit";

const name = "leaving";

/** What the person has chosen, and how they say so. */
export function useCloseBehavior(): [CloseBehavior, (habit: CloseBehavior) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const habit = chosen === "background" || chosen === "quit" ? chosen : "ask";
  return [habit, (value) => setAppStateValue(name, value)];
}
