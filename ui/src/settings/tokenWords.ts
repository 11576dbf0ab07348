import type { TokenView } from "@/api/bindings";

/** The token by which `baton serve` lets its own page in. */
export const browserToken = "browser";

type Surface = TokenView["surface"];

/** What a token is good for, the smallest first. Each includes those before it. */
export const surfaces: readonly { id: Surface; label: string; hint: string }[] = [
  { id: "read", label: "Read", hint: "Sees blueprints, runs and sessions. Changes nothing." },
  {
    id: "write",
    label: "Write",
    hint: "Reads, edits blueprints, and starts, pauses and retries approved runs. Approves nothing.",
  },
  {
    id: "decide",
    label: "Decide",
    hint: "Does everything that you can: approves blueprints, answers questions, grants permissions, deletes, and changes settings. Nobody asks you first.",
  },
];

export function surfaceLabel(surface: Surface): string {
  return surfaces.find(({ id }) => id === surface)?.label ?? surface;
}

/** The longest name that the backend takes. */
const longestName = 64;

/** Why a token cannot have this name; nothing when it can, or while nothing is written. */
export function tokenNameFault(name: string, taken: readonly TokenView[]): string | undefined {
  if (name === "") return undefined;
  if (!/^[\w.-]+$/.test(name) || name.length > longestName)
    return `Use up to ${longestName} letters, digits, “-”, “_” or “.”.`;
  if (name === browserToken) return "baton serve uses this name. Choose another one.";
  if (taken.some((token) => token.name === name))
    return `There is a token “${name}” already. Choose another name, or revoke that one.`;
  return undefined;
}
