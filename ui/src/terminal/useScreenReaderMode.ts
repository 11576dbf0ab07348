import { setAppStateValue, useAppState } from "@/shell/appState";

/** The name of the stored choice. */
const name = "terminalScreenReader";

/** Whether terminals are readable by screen readers, and a function to change it. */
export function useScreenReaderMode(): [boolean, (on: boolean) => void] {
  const on = useAppState(({ ui }) => ui[name] === true);
  return [on, (value) => setAppStateValue(name, value)];
}
