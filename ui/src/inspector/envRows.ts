/** One line of the editor of variables; a name may be missing or stand twice while it is written. */
export interface EnvRow {
  name: string;
  value: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

export function toEnvRows(env: Env): EnvRow[] {
  return Object.entries(env).map(([name, value]) => ({ name, value: value ?? "" }));
}

/** The variables of the rows that have a name. */
export function fromEnvRows(rows: readonly EnvRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ name }) => name !== "").map((row) => [row.name, row.value]),
  );
}

/** What is wrong with the name in a row; `undefined` when nothing is. */
export function envNameError(rows: readonly EnvRow[], at: number): string | undefined {
  const name = rows[at]?.name ?? "";
  if (name === "") return undefined;
  if (/[=\s\0]/.test(name)) return "A name has no spaces and no “=”.";
  if (rows.findIndex((row) => row.name === name) < at) return `${name} is already defined above.`;
  if (name.startsWith("BATON_")) return "Names starting with BATON_ are reserved for Baton.";
  return undefined;
}
