import type { Edge, Node } from "@/api/bindings";
import { readCriteria } from "@/inspector/criterion";
import type { Fragment } from "./edits";
import { blankKind, isKindName } from "./kinds";

/** Marks a text on the clipboard as nodes of a blueprint, and says how it is to be read. */
const format = "baton/nodes@1";

/** Nodes as text for the clipboard: JSON that a person can read, send and paste elsewhere. */
export function clipboardText({ nodes, edges }: Fragment): string {
  return JSON.stringify({ format, nodes, edges }, null, 2);
}

/**
 * The nodes in a clipboard text; none when it is something else. What a text may lack is left at its default, so that
 * nodes of another version can be pasted; what Baton does not know is left out.
 */
export function parseClipboard(text: string): Fragment | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.format !== format) return undefined;
  if (!Array.isArray(value.nodes) || !Array.isArray(value.edges)) return undefined;
  const nodes = value.nodes.flatMap((node) => readNode(node) ?? []);
  const ids = new Set(nodes.map((node) => node.id));
  const edges = value.edges
    .flatMap((edge) => readEdge(edge) ?? [])
    .filter((edge) => ids.has(edge.parent) && ids.has(edge.child));
  return nodes.length === 0 ? undefined : { nodes, edges };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Json = Record<string, unknown>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readNode(value: unknown): Node | undefined {
  if (!isRecord(value) || !isRecord(value.kind)) return undefined;
  const { id, slug, title, kind } = value;
  if (typeof id !== "string" || typeof slug !== "string" || typeof title !== "string")
    return undefined;
  if (!isKindName(kind.kind)) return undefined;
  return {
    id,
    slug: /^[a-zA-Z0-9][\w-]{0,79}$/.test(slug) ? slug : "node",
    title,
    description: text(value.description),
    kind: { ...blankKind(kind.kind), ...kind } as Node["kind"],
    instructions: text(value.instructions),
    acceptanceCriteria: readCriteria(value.acceptanceCriteria),
    toolsRequired: texts(value.toolsRequired),
    suggestedAgent: typeof value.suggestedAgent === "string" ? value.suggestedAgent : null,
    triggerRule: (value.triggerRule ?? null) as Node["triggerRule"],
    maxRetries: number(value.maxRetries) ?? 0,
    retryExitCodes: Array.isArray(value.retryExitCodes)
      ? value.retryExitCodes.filter((code) => Number.isInteger(code))
      : [],
    isolation:
      value.isolation === "shared" || value.isolation === "worktree" ? value.isolation : null,
    afterCrash:
      value.afterCrash === "resume" || value.afterCrash === "restart" ? value.afterCrash : "ask",
    timeoutMs: number(value.timeoutMs) ?? null,
    silentAfterMs: number(value.silentAfterMs) ?? null,
    budget: readBudget(value.budget),
    onSuccess: typeof value.onSuccess === "string" ? value.onSuccess : null,
    onFailure: readOnFailure(value.onFailure),
    priority: number(value.priority) ?? 5,
    position: readPosition(value.position),
    metadata: isRecord(value.metadata) ? value.metadata : {},
  };
}

function readPosition(value: unknown): Node["position"] {
  if (!isRecord(value)) return null;
  const [x, y] = [number(value.x), number(value.y)];
  return x === undefined || y === undefined ? null : { x, y };
}

function readBudget(value: unknown): Node["budget"] {
  if (!isRecord(value)) return { tokens: null, costUsd: null };
  return { tokens: number(value.tokens) ?? null, costUsd: number(value.costUsd) ?? null };
}

function readOnFailure(value: unknown): Node["onFailure"] {
  if (isRecord(value) && typeof value.node === "string") return { node: value.node };
  return value === "skip" ? "skip" : "abort";
}

function readEdge(value: unknown): Edge | undefined {
  if (!isRecord(value)) return undefined;
  const { parent, child, soft } = value;
  if (typeof parent !== "string" || typeof child !== "string") return undefined;
  return { parent, child, soft: soft === true };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
