import type { McpServer, ServerTool, Transport } from "@/api/bindings";
import { trimCommand } from "./agentDraft";

/** A text by its name; a name may be missing or stand twice while it is written. */
export interface NamedValue {
  name: string;
  value: string;
}

/** A server that is being written. Both ways to reach it stay, so that a wrong click on the other loses nothing. */
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

/** What is wrong with a field of the draft, as far as this side can tell. */
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

/** The draft of a server that is changed, or of a new one. */
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

/** The server of a draft that is ready. */
export function fromServerDraft(draft: ServerDraft): McpServer {
  const [command = "", ...args] = trimCommand(draft.command);
  const transport: Transport =
    draft.by === "stdio"
      ? { kind: "stdio", command, args, env: toRecord(draft.env) }
      : { kind: "http", url: draft.url.trim(), headers: toRecord(draft.headers) };
  return { name: draft.name.trim(), transport, trusted: [...draft.trusted] };
}

/** Looks over a draft. `taken` holds the names of other servers; empty fields are not faults but not ready either. */
export function serverErrors(draft: ServerDraft, taken: readonly string[]): ServerErrors {
  const faults: ServerErrors = {};
  const name = draft.name.trim();
  const program = draft.command[0]?.trim() ?? "";
  if (/[/\n]/.test(name)) faults.name = "Leave out “/”: it stands between a server and its tool.";
  else if (taken.includes(name)) faults.name = "Another server has this name.";
  if (draft.by === "stdio" && /\s/.test(program) && !program.includes("/"))
    faults.program = "Only the program goes here. Put each argument in its own field.";
  if (
    draft.by === "http" &&
    draft.url.trim() !== "" &&
    !/^https?:\/\/[^\s/]+/.test(draft.url.trim())
  )
    faults.url = "Write a whole address, beginning with https:// or http://.";
  const pairs = draft.by === "stdio" ? draft.env : draft.headers;
  const twice = pairs.find(
    ({ name }, at) => name !== "" && pairs.findIndex((pair) => pair.name === name) < at,
  );
  if (twice) faults.pairs = `${twice.name} is already defined above.`;
  return faults;
}

/** Whether the draft can be saved. */
export function isServerReady(draft: ServerDraft, faults: ServerErrors): boolean {
  const reached = draft.by === "stdio" ? draft.command[0] : draft.url;
  return draft.name.trim() !== "" && Boolean(reached?.trim()) && Object.keys(faults).length === 0;
}

function toNamedValues(values: Readonly<Record<string, string | undefined>>): NamedValue[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: value ?? "" }));
}

/** The pairs that have a name. */
function toRecord(pairs: readonly NamedValue[]): Record<string, string> {
  const named = pairs.filter(({ name }) => name.trim() !== "");
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** What one server answered when it was asked for its tools. */
export type ServerToolsResult =
  | { kind: "offers"; tools: OfferedTool[] }
  | { kind: "unreachable"; error: string };

/** What the rows tell of one server. One without any row offers no tool, unless it is only now being asked. */
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

/** What a person can do about a server that does not answer. */
export function unreachableHint({ transport }: McpServer): string {
  return transport.kind === "stdio"
    ? "Look whether the program is installed and can be found, and whether its arguments and variables are right. Then check again."
    : "Look whether the server runs at this address and whether its headers hold a valid key. Then check again.";
}
