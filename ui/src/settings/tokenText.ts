import type { TokenView } from "@/api/bindings";

/** The token by which `baton serve` lets its own page in. */
export const browserToken = "browser";

type Surface = TokenView["surface"];

/** What a token is good for, the smallest first. Each includes those before it. */
export const tokenScopes: readonly { id: Surface; label: string; hint: string }[] = [
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

export function tokenScopeLabel(surface: Surface): string {
  return tokenScopes.find(({ id }) => id === surface)?.label ?? surface;
}

/** The longest name that the backend takes. */
const maxNameLength = 64;

/** Why a token cannot have this name; nothing when it can, or while nothing is written. */
export function tokenNameError(name: string, taken: readonly TokenView[]): string | undefined {
  if (name === "") return undefined;
  if (!/^[\w.-]+$/.test(name) || name.length > maxNameLength)
    return `Use up to ${maxNameLength} letters, digits, “-”, “_” or “.”.`;
  if (name === browserToken) return "baton serve uses this name. Choose another one.";
  if (taken.some((token) => token.name === name))
    return `There is a token “${name}” already. Choose another name, or revoke that one.`;
  return undefined;
}
