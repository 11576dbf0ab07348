import type { OutputRead, TypedOutput } from "@/api/bindings";

/** One row of the named outputs of a pin. While editing, names may be missing or duplicated. */
export interface PinnedOutputRow extends TypedOutput {
  /** Offered because a node reads this name. It isn't pinned while it has no value. */
  isOffered?: boolean;
}

type Outputs = Readonly<Record<string, string>>;

const nameLimit = 128;

/** The outputs as rows, and below them those that nodes read but that are missing. */
export function toOutputRows(outputs: Outputs, reads: readonly OutputRead[]): PinnedOutputRow[] {
  const rows = Object.entries(outputs).map(([name, value]) => ({ name, value }));
  const missing = reads.filter(({ name }) => !Object.hasOwn(outputs, name));
  return [...rows, ...missing.map(({ name }) => ({ name, value: "", isOffered: true }))];
}

/** The outputs of all rows that are filled in. */
export function fromOutputRows(rows: readonly PinnedOutputRow[]): TypedOutput[] {
  return rows.filter(isFilled).map(({ name, value }) => ({ name: name.trim(), value }));
}

/** Says what is wrong with a row and how to fix it; undefined if nothing is, or if it is empty. */
export function outputRowError(rows: readonly PinnedOutputRow[], at: number): string | undefined {
  const row = rows[at];
  if (row === undefined || !isFilled(row)) return undefined;
  const name = row.name.trim();
  if (name === "") return "Enter a name, or remove the row.";
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) return "Use only letters, digits, _, - and . in the name.";
  if (name.length > nameLimit) return `Use a name of at most ${nameLimit} characters.`;
  const isSame = (other: PinnedOutputRow) => isFilled(other) && other.name.trim() === name;
  if (rows.findIndex(isSame) < at) return `${name} is already defined above.`;
  return undefined;
}

/** Whether `typed` are the same outputs. */
export function areOutputs(typed: readonly TypedOutput[], outputs: Outputs): boolean {
  return (
    typed.length === Object.keys(outputs).length &&
    typed.every(({ name, value }) => Object.hasOwn(outputs, name) && outputs[name] === value)
  );
}

function isFilled({ name, value, isOffered }: PinnedOutputRow): boolean {
  return value !== "" || (name.trim() !== "" && !isOffered);
}
