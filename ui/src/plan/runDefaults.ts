import type { Autonomy, PlanSettings, RunDefaults } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { formatDuration } from "@/components/duration";

/** How long an attempt of an agent may take where nobody says, in milliseconds. */
export const agentTimeout = 30 * 60_000;
/** How long an attempt of a command or tool call may take where nobody says, in milliseconds. */
export const commandTimeout = 60_000;

const fallbackDefaults: RunDefaults = {
  autonomy: 1,
  concurrency: 4,
  timeoutMs: null,
  agentTimeoutMs: null,
  commandTimeoutMs: null,
};

/** What holds for plans that say nothing. */
export function useRunDefaults(): RunDefaults {
  const { data } = useOperation("settings_get", {});
  return data?.runDefaults ?? fallbackDefaults;
}

/** The limits of attempts whose node names none, in milliseconds. */
export interface AttemptTimeouts {
  agents: number;
  commands: number;
}

/** What a plan says about the limits of attempts, else the settings, else Baton. */
export function attemptTimeouts(settings: PlanSettings, defaults: RunDefaults): AttemptTimeouts {
  return {
    agents: settings.agentTimeoutMs ?? defaults.agentTimeoutMs ?? agentTimeout,
    commands: settings.commandTimeoutMs ?? defaults.commandTimeoutMs ?? commandTimeout,
  };
}

/** A time limit, for people. */
export function limitText(milliseconds: number | null): string {
  return milliseconds === null ? "No limit" : formatDuration(milliseconds);
}

/** A level as the id of a choice; `settings` where the plan leaves it to the settings. */
export function autonomyOption(level: Autonomy | null | undefined): `${Autonomy}` | "settings" {
  return level === null || level === undefined ? "settings" : `${level}`;
}

/** The level of a choice; `null` for that of the settings. */
export function parseAutonomyOption(id: `${Autonomy}` | "settings"): Autonomy | null {
  return id === "settings" ? null : (Number(id) as Autonomy);
}
