/** One row of the variable editor. While editing, names may be missing or duplicated. */
export interface EnvRow {
  name: string;
  value: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

export function toEnvRows(env: Env): EnvRow[] {
  return Object.entries(env).map(([name, value]) => ({ name, value: value ?? "" }));
}

/** Returns the variables from all rows with a name. */
export function fromEnvRows(rows: readonly EnvRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ name }) => name !== "").map((row) => [row.name, row.value]),
  );
}

/** Returns what is wrong with the name in a row, undefined if it is valid or empty. */
export function envNameError(rows: readonly EnvRow[], at: number): string | undefined {
  const name = rows[at]?.name ?? "";
  if (name === "") return undefined;
  if (/[=\s\0]/.test(name)) return "Names can't contain spaces or “=”.";
  if (rows.findIndex((row) => row.name === name) < at) return `${name} is already defined above.`;
  if (name.startsWith("BATON_")) return "Names starting with BATON_ are reserved for Baton.";
  return undefined;
}
