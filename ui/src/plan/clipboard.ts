import type { Edge, Group, Node, NodeKind } from "@/api/bindings";
import { readCriteria } from "./criterion";
import type { Fragment } from "./edits";
import { colors } from "./groups";
import { blankKind, isKindName } from "./kinds";
import { triggerRules } from "./startRule";

/** Identifies a clipboard text as nodes of a blueprint, and the version of the format. */
const format = "baton/nodes@1";

/** Nodes as clipboard text: readable JSON that can be sent and pasted elsewhere. */
export function clipboardText({ nodes, edges, incoming, groups }: Fragment): string {
  return JSON.stringify({ format, nodes, edges, incoming, groups }, null, 2);
}

/** The nodes in a clipboard text, or every fault with its place in the text. */
export type ParsedClipboard =
  | { fragment: Fragment; faults?: undefined }
  | { fragment?: undefined; faults: string[] };

/**
 * Parses a clipboard text; undefined when it isn't in the format for nodes. Missing fields get
 * their defaults and unknown fields are ignored, so that nodes from another version can be pasted.
 * Fields with an invalid value are faults; with any fault, no nodes are returned.
 */
export function parseClipboard(text: string): ParsedClipboard | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.format !== format) return undefined;
  const faults: string[] = [];
  const nodes = list(value.nodes, "nodes", faults).flatMap(
    (node, at) => readNode(node, `nodes[${at}]`, faults) ?? [],
  );
  const ids = new Set(nodes.map((node) => node.id));
  const edges = readEdges(value.edges, "edges", faults);
  const incoming = readEdges(value.incoming, "incoming", faults);
  const groups = list(value.groups, "groups", faults).flatMap(
    (group, at) => readGroup(group, `groups[${at}]`, faults) ?? [],
  );
  if (nodes.length === 0 && faults.length === 0) faults.push("nodes: must not be empty");
  if (ids.size < nodes.length) faults.push("nodes: duplicate id");
  if (faults.length > 0) return { faults };
  return {
    fragment: {
      nodes,
      edges: edges.filter((edge) => ids.has(edge.parent) && ids.has(edge.child)),
      incoming: incoming.filter((edge) => !ids.has(edge.parent) && ids.has(edge.child)),
      groups: withMembers(groups, ids),
    },
  };
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

function list(value: unknown, place: string, faults: string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  faults.push(`${place}: must be a list`);
  return [];
}

function readNode(value: unknown, place: string, faults: string[]): Node | undefined {
  if (!isRecord(value)) {
    faults.push(`${place}: must be a node`);
    return undefined;
  }
  const fields = new FieldReader(value, place, faults);
  const [id, slug, title] = [
    fields.required("id"),
    fields.required("slug"),
    fields.required("title"),
  ];
  const kind = readKind(value.kind, `${place}.kind`, faults);
  const sandbox = fields.oneOf("sandbox", ["on", "off"] as const);
  const node = {
    description: fields.text("description") ?? "",
    instructions: fields.text("instructions") ?? "",
    acceptanceCriteria: readCriteria(value.acceptanceCriteria),
    toolsRequired: readStrings(value.toolsRequired),
    suggestedAgent: fields.text("suggestedAgent") ?? null,
    triggerRule: (fields.oneOf("triggerRule", triggerRules) as Node["triggerRule"]) ?? null,
    maxRetries: fields.number("maxRetries") ?? 0,
    retryExitCodes: list(value.retryExitCodes, `${place}.retryExitCodes`, faults).filter(isInteger),
    isolation: fields.oneOf("isolation", ["shared", "worktree"] as const) ?? null,
    ...(sandbox && { sandbox }),
    ...(readStrings(value.locks).length > 0 && { locks: readStrings(value.locks) }),
    afterCrash: fields.oneOf("afterCrash", ["ask", "resume", "restart"] as const) ?? "ask",
    timeoutMs: fields.number("timeoutMs") ?? null,
    silentAfterMs: fields.number("silentAfterMs") ?? null,
    budget: readBudget(value.budget),
    onSuccess: fields.text("onSuccess") ?? null,
    onFailure: readOnFailure(value.onFailure),
    priority: fields.number("priority") ?? 5,
    ...(value.keepsPlace === true && { keepsPlace: true }),
    ...(value.disabled === true && { disabled: true }),
    position: readPosition(value.position, `${place}.position`, faults),
    metadata: isRecord(value.metadata) ? value.metadata : {},
  };
  if (id === undefined || slug === undefined || title === undefined || !kind) return undefined;
  return { id, slug: /^[a-zA-Z0-9][\w-]{0,79}$/.test(slug) ? slug : "node", title, kind, ...node };
}

/** Reads the fields of one object and collects a fault for each invalid one. */
class FieldReader {
  readonly #value: Json;
  readonly #place: string;
  readonly #faults: string[];

  constructor(value: Json, place: string, faults: string[]) {
    this.#value = value;
    this.#place = place;
    this.#faults = faults;
  }

  required(key: string): string | undefined {
    if (this.#value[key] === undefined) this.#wrong(key, "is missing");
    return this.text(key);
  }

  text(key: string): string | undefined {
    return this.#read(key, "must be text", (value) => typeof value === "string");
  }

  number(key: string): number | undefined {
    return this.#read(key, "must be a number", (value) => Number.isFinite(value));
  }

  oneOf<Option extends string>(key: string, options: readonly Option[]): Option | undefined {
    return this.#read(key, `must be one of ${options.join(", ")}`, (value) =>
      options.includes(value as Option),
    );
  }

  #read<T>(key: string, fault: string, fits: (value: unknown) => boolean): T | undefined {
    const value = this.#value[key];
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value as T;
    this.#wrong(key, fault);
    return undefined;
  }

  #wrong(key: string, fault: string): void {
    this.#faults.push(`${this.#place}.${key}: ${fault}`);
  }
}

/** Optional fields that a kind may have but a new node doesn't. */
const optional: Json = { session: {}, color: "", size: {} };

/**
 * A kind whose fields have the same types as in a new node of that kind. Fields that are null there
 * must be text or a number.
 */
function readKind(value: unknown, place: string, faults: string[]): NodeKind | undefined {
  const name = isRecord(value) ? value.kind : undefined;
  if (!isRecord(value) || !isKindName(name)) {
    faults.push(`${place}.kind: unknown node kind`);
    return undefined;
  }
  const blank: Json = { ...blankKind(name) };
  const kind: Json = { ...blank };
  for (const [key, field] of Object.entries(value)) {
    const model = blank[key] ?? (key in blank ? null : optional[key]);
    if (field === null || field === undefined || model === undefined) continue;
    if (hasSameShape(field, model, key)) kind[key] = field;
    else faults.push(`${place}.${key}: must be ${typeName(model)}`);
  }
  return kind as NodeKind;
}

function hasSameShape(value: unknown, model: unknown, key: string): boolean {
  if (key === "command") return typeof value === "string" || isTexts(value);
  if (model === null) return typeof value === "string" || typeof value === "number";
  if (Array.isArray(model)) return Array.isArray(value);
  return typeof value === typeof model && !Array.isArray(value);
}

function typeName(model: unknown): string {
  if (model === null) return "text";
  if (Array.isArray(model)) return "a list";
  return (
    { string: "text", number: "a number", boolean: "true or false" }[typeof model as string] ??
    "an object"
  );
}

function readPosition(value: unknown, place: string, faults: string[]): Node["position"] {
  if (value === undefined || value === null) return null;
  const { x, y } = isRecord(value) ? value : {};
  if (isNumber(x) && isNumber(y)) return { x, y };
  faults.push(`${place}: must be {x, y} with two numbers`);
  return null;
}

function readBudget(value: unknown): Node["budget"] {
  const { tokens, costUsd } = isRecord(value) ? value : {};
  return { tokens: isNumber(tokens) ? tokens : null, costUsd: isNumber(costUsd) ? costUsd : null };
}

function readOnFailure(value: unknown): Node["onFailure"] {
  if (isRecord(value) && typeof value.node === "string") return { node: value.node };
  return value === "skip" ? "skip" : "abort";
}

function readEdges(value: unknown, place: string, faults: string[]): Edge[] {
  return list(value, place, faults).flatMap((edge, at) => {
    const { parent, child, soft, inferred } = isRecord(edge) ? edge : {};
    if (typeof parent === "string" && typeof child === "string")
      return [{ parent, child, soft: soft === true, ...(inferred === true && { inferred }) }];
    faults.push(`${place}[${at}]: must have a parent and a child`);
    return [];
  });
}

function readGroup(value: unknown, place: string, faults: string[]): Group | undefined {
  const fields = new FieldReader(isRecord(value) ? value : {}, place, faults);
  const [id, title] = [fields.required("id"), fields.required("title")];
  const color = fields.oneOf("color", colors) ?? "gray";
  const nodes = isRecord(value) ? readStrings(value.nodes) : [];
  return id === undefined || title === undefined ? undefined : { id, title, color, nodes };
}

/** Keeps only members among `ids`. A node listed by several groups stays in the first. */
function withMembers(groups: readonly Group[], ids: ReadonlySet<string>): Group[] {
  const left = new Set(ids);
  return groups.flatMap((group) => {
    const nodes = group.nodes.filter((node) => left.delete(node));
    return nodes.length === 0 ? [] : [{ ...group, nodes }];
  });
}

function readStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}
