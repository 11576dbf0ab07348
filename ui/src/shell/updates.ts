import { create } from "zustand";
import { ApiError } from "@/api/ApiError";
import type { AvailableUpdate, Updates } from "@/api/Backend";
import { getAppStateValue, setAppStateValue, useAppState } from "./appState";

/** How far an update of Baton is. */
export type UpdateState =
  | { step: "unknown" }
  | { step: "checking" }
  | { step: "current" }
  | { step: "available"; update: AvailableUpdate }
  | { step: "installing"; update: AvailableUpdate }
  | { step: "installed"; update: AvailableUpdate }
  /** With an update, its installation failed; without one, the check. */
  | { step: "failed"; error: ApiError; update?: AvailableUpdate };

const automatic = "updateChecks";
const dismissed = "updateDismissed";

/** One state for the banner and the settings: both offer the same update. */
export const useUpdateState = create<UpdateState>(() => ({ step: "unknown" }));

/** Asks for a newer version. A check that is under way, or an update that is being installed, is left alone. */
export async function checkForUpdate(updates: Updates): Promise<void> {
  const { step } = useUpdateState.getState();
  if (step === "checking" || step === "installing" || step === "installed") return;
  replace({ step: "checking" });
  try {
    const update = await updates.check();
    replace(update ? { step: "available", update } : { step: "current" });
  } catch (cause) {
    replace({ step: "failed", error: ApiError.from(cause) });
  }
}

/** Downloads, verifies and installs the update; it runs from the next start on. */
export async function installUpdate(updates: Updates, update: AvailableUpdate): Promise<void> {
  replace({ step: "installing", update });
  try {
    await updates.install();
    replace({ step: "installed", update });
  } catch (cause) {
    replace({ step: "failed", error: ApiError.from(cause), update });
  }
}

/** Forgets what was found; for tests. */
export function resetUpdateState(): void {
  replace({ step: "unknown" });
}

function replace(state: UpdateState): void {
  useUpdateState.setState(state, true);
}

/** Whether Baton checks for updates by itself, and how to change that. */
export function useAutomaticUpdateChecks(): [boolean, (checked: boolean) => void] {
  const isOn = useAppState(({ ui }) => ui[automatic] !== "off");
  return [isOn, (checked) => setAppStateValue(automatic, checked ? "on" : "off")];
}

/** The version that the person does not want to be asked about again. */
export function useDismissedUpdate(): [unknown, (version: string) => void] {
  const version = useAppState(({ ui }) => ui[dismissed]);
  return [version, (value) => setAppStateValue(dismissed, value)];
}

/** Whether Baton checks for updates by itself, outside of a component. */
export function checksAutomatically(): boolean {
  return getAppStateValue(automatic) !== "off";
}
