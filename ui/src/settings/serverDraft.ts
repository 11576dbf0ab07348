import type { McpServer, ServerTool, Transport } from "@/api/bindings";
import { trimCommand } from "./agentDraft";

/** A name-value pair. While editing, names may be missing or duplicated. */
export interface NamedValue {
  name: string;
  value: string;
}

/**
 * A server in the dialog. Keeps the fields of both connection types, so that switching loses
 * nothing.
 */
export interface ServerDraft {
  name: string;
  by: Transport["kind"];
  /** The program, then its arguments. */
  command: readonly string[];
  env: readonly NamedValue[];
  url: string;
  headers: readonly NamedValue[];
  trusted: readonly string[];
}

/** Errors by field, as far as the window can check them. */
export interface ServerErrors {
  name?: string;
  program?: string;
  url?: string;
  pairs?: string;
}

export type OfferedTool = Extract<ServerTool, { name: string }>;

const blank: ServerDraft = {
  name: "",
  by: "stdio",
  command: [""],
  env: [],
  url: "",
  headers: [],
  trusted: [],
};

/** Returns the draft of an existing server, or a blank one. */
export function toServerDraft(server: McpServer | undefined): ServerDraft {
  if (!server) return blank;
  const { name, transport, trusted } = server;
  const known = { ...blank, name, trusted, by: transport.kind };
  return transport.kind === "stdio"
    ? {
        ...known,
        command: [transport.command, ...transport.args],
        env: toNamedValues(transport.env),
      }
    : { ...known, url: transport.url, headers: toNamedValues(transport.headers) };
}

/** Returns the server of a valid draft. */
export function fromServerDraft(draft: ServerDraft): McpServer {
  const [command = "", ...args] = trimCommand(draft.command);
  const transport: Transport =
    draft.by === "stdio"
      ? { kind: "stdio", command, args, env: toRecord(draft.env) }
      : { kind: "http", url: draft.url.trim(), headers: toRecord(draft.headers) };
  return { name: draft.name.trim(), transport, trusted: [...draft.trusted] };
}

/**
 * Validates a draft. `taken` has the names of other servers. Empty fields are no errors, but not
 * ready either.
 */
export function serverErrors(draft: ServerDraft, taken: readonly string[]): ServerErrors {
  const faults: ServerErrors = {};
  const name = draft.name.trim();
  const program = draft.command[0]?.trim() ?? "";
  if (/[/\n]/.test(name)) faults.name = "Don't use “/”. It separates the server from the tool.";
  else if (taken.includes(name)) faults.name = "Another server has this name.";
  if (draft.by === "stdio" && /\s/.test(program) && !program.includes("/"))
    faults.program = "Only the program goes here. Put each argument in its own field.";
  if (
    draft.by === "http" &&
    draft.url.trim() !== "" &&
    !/^https?:\/\/[^\s/]+/.test(draft.url.trim())
  )
    faults.url = "Enter a full address that starts with https:// or http://.";
  const pairs = draft.by === "stdio" ? draft.env : draft.headers;
  const twice = pairs.find(
    ({ name }, at) => name !== "" && pairs.findIndex((pair) => pair.name === name) < at,
  );
  if (twice) faults.pairs = `${twice.name} is already defined above.`;
  return faults;
}

/** Returns whether the draft is complete and valid. */
export function isServerReady(draft: ServerDraft, faults: ServerErrors): boolean {
  const reached = draft.by === "stdio" ? draft.command[0] : draft.url;
  return draft.name.trim() !== "" && Boolean(reached?.trim()) && Object.keys(faults).length === 0;
}

function toNamedValues(values: Readonly<Record<string, string | undefined>>): NamedValue[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: value ?? "" }));
}

/** Returns the pairs with a name as a record. */
function toRecord(pairs: readonly NamedValue[]): Record<string, string> {
  const named = pairs.filter(({ name }) => name.trim() !== "");
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** The tools of one server, or why it couldn't list them. */
export type ServerToolsResult =
  | { kind: "offers"; tools: OfferedTool[] }
  | { kind: "unreachable"; error: string };

/** Returns the result for one server. Without rows, it has no tools, or is still loading. */
export function serverToolsResult(
  server: string,
  rows: readonly ServerTool[],
  isLoading: boolean,
): ServerToolsResult | undefined {
  const own = rows.filter((row) => row.server === server);
  if (own.length === 0 && isLoading) return undefined;
  const failed = own.find((row) => "error" in row);
  if (failed) return { kind: "unreachable", error: failed.error };
  return { kind: "offers", tools: own.filter((row) => "name" in row) };
}

/** Returns how to fix a server that doesn't respond. */
export function unreachableHint({ transport }: McpServer): string {
  return transport.kind === "stdio"
    ? "Check that the program is installed and can be found, and that its arguments and variables are correct. Then check again."
    : "Check that the server runs at this address and that its headers contain a valid key. Then check again.";
}
