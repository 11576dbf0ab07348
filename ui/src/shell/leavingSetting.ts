import { remember, useAppState } from "./appState";

/** What closing the window does while runs go on. */
export type LeavingHabit = "ask" | "background" | "quit";

const name = "leaving";

/** What the person has chosen, and how they say so. */
export function useLeavingSetting(): [LeavingHabit, (habit: LeavingHabit) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const habit = chosen === "background" || chosen === "quit" ? chosen : "ask";
  return [habit, (wish) => remember(name, wish)];
}
