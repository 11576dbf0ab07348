import type { Autonomy, PlanSettings, RunDefaults } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { formatDuration } from "@/components/duration";

/** The built-in time limit of an agent's attempt, in milliseconds. */
export const agentTimeout = 30 * 60_000;
/** The built-in time limit of a command's or tool call's attempt, in milliseconds. */
export const commandTimeout = 60_000;

const fallbackDefaults: RunDefaults = {
  autonomy: 1,
  concurrency: 4,
  timeoutMs: null,
  agentTimeoutMs: null,
  commandTimeoutMs: null,
};

/** The defaults for plans that don't set a value. */
export function useRunDefaults(): RunDefaults {
  const { data } = useOperation("settings_get", {});
  return data?.runDefaults ?? fallbackDefaults;
}

/** The limits for attempts of nodes that set none, in milliseconds. */
export interface AttemptTimeouts {
  agents: number;
  commands: number;
}

/** The limits from the plan, else from the settings, else the built-in ones. */
export function attemptTimeouts(settings: PlanSettings, defaults: RunDefaults): AttemptTimeouts {
  return {
    agents: settings.agentTimeoutMs ?? defaults.agentTimeoutMs ?? agentTimeout,
    commands: settings.commandTimeoutMs ?? defaults.commandTimeoutMs ?? commandTimeout,
  };
}

/** A time limit as text. */
export function limitText(milliseconds: number | null): string {
  return milliseconds === null ? "No limit" : formatDuration(milliseconds);
}

/** The option id of an autonomy level; `settings` if the plan leaves it to the settings. */
export function autonomyOption(level: Autonomy | null | undefined): `${Autonomy}` | "settings" {
  return level === null || level === undefined ? "settings" : `${level}`;
}

/** The autonomy level of an option id; null for the level from the settings. */
export function parseAutonomyOption(id: `${Autonomy}` | "settings"): Autonomy | null {
  return id === "settings" ? null : (Number(id) as Autonomy);
}
