import { create } from "zustand";
import { ApiError } from "@/api/ApiError";
import type { AvailableUpdate, Updates } from "@/api/Backend";
import { getAppStateValue, setAppStateValue, useAppState } from "./appState";

/** The progress of an update of Baton. */
export type UpdateState =
  | { step: "unknown" }
  | { step: "checking" }
  | { step: "current" }
  | { step: "available"; update: AvailableUpdate }
  | { step: "installing"; update: AvailableUpdate }
  | { step: "installed"; update: AvailableUpdate }
  /** With `update`, the installation failed; without, the check. */
  | { step: "failed"; error: ApiError; update?: AvailableUpdate };

const automatic = "updateChecks";
const dismissed = "updateDismissed";

/** Shared by the banner and the settings, which offer the same update. */
export const useUpdateState = create<UpdateState>(() => ({ step: "unknown" }));

/** Checks for a newer version, unless a check or an installation is in progress. */
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

/** Downloads, verifies and installs an update, which takes effect at the next start. */
export async function installUpdate(updates: Updates, update: AvailableUpdate): Promise<void> {
  replace({ step: "installing", update });
  try {
    await updates.install();
    replace({ step: "installed", update });
  } catch (cause) {
    replace({ step: "failed", error: ApiError.from(cause), update });
  }
}

/** Resets the state; for tests. */
export function resetUpdateState(): void {
  replace({ step: "unknown" });
}

function replace(state: UpdateState): void {
  useUpdateState.setState(state, true);
}

/** Whether Baton checks for updates automatically, and a function to change it. */
export function useAutomaticUpdateChecks(): [boolean, (checked: boolean) => void] {
  const isOn = useAppState(({ ui }) => ui[automatic] !== "off");
  return [isOn, (checked) => setAppStateValue(automatic, checked ? "on" : "off")];
}

/** The version whose update the user has dismissed, and a function to dismiss one. */
export function useDismissedUpdate(): [unknown, (version: string) => void] {
  const version = useAppState(({ ui }) => ui[dismissed]);
  return [version, (value) => setAppStateValue(dismissed, value)];
}

/** Reports whether Baton checks for updates automatically, outside of components. */
export function checksAutomatically(): boolean {
  return getAppStateValue(automatic) !== "off";
}
