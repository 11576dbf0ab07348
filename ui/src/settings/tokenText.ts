import type { TokenView } from "@/api/bindings";

/** The name of the token that the pages of `baton serve` use. */
export const browserToken = "browser";

type Surface = TokenView["surface"];

/** The scopes of tokens, narrowest first. Each includes those before it. */
export const tokenScopes: readonly { id: Surface; label: string; hint: string }[] = [
  {
    id: "read",
    label: "Read",
    hint: "Can see blueprints, runs and sessions. Can't change anything.",
  },
  {
    id: "write",
    label: "Write",
    hint: "Can read, edit blueprints, and start, pause and retry approved runs. Can't approve anything.",
  },
  {
    id: "decide",
    label: "Decide",
    hint: "Can do everything that you can: approve blueprints, answer questions, grant permissions, delete, and change settings. You aren't asked first.",
  },
];

export function tokenScopeLabel(surface: Surface): string {
  return tokenScopes.find(({ id }) => id === surface)?.label ?? surface;
}

/** The longest name that the backend accepts. */
const maxNameLength = 64;

/** Returns why a token can't have this name, or `undefined` if it can or the name is empty. */
export function tokenNameError(name: string, taken: readonly TokenView[]): string | undefined {
  if (name === "") return undefined;
  if (!/^[\w.-]+$/.test(name) || name.length > maxNameLength)
    return `Use up to ${maxNameLength} letters, digits, “-”, “_” or “.”.`;
  if (name === browserToken) return "baton serve uses this name. Choose another one.";
  if (taken.some((token) => token.name === name))
    return `A token named “${name}” already exists. Choose another name, or revoke that one.`;
  return undefined;
}
