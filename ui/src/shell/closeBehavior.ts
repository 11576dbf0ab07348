import { setAppStateValue, useAppState } from "./appState";

/** What closing the window does while runs are active. */
export type CloseBehavior = "ask" | "background" | "quit";

const name = "leaving";

/** The user's choice, and a function to change it. */
export function useCloseBehavior(): [CloseBehavior, (behavior: CloseBehavior) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const behavior = chosen === "background" || chosen === "quit" ? chosen : "ask";
  return [behavior, (value) => setAppStateValue(name, value)];
}
