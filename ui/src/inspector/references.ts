import type { Node, NodeId, NodeKind, Plan, ToolCall } from "@/api/bindings";
import { changeNode } from "@/plan/edits";
import { adjacencyOf, reachable } from "@/plan/reachability";

/** A `{{nodes.<slug>.outputs.<key>}}` in a text, with or without `| split`. */
export interface Reference {
  from: number;
  to: number;
  slug: string;
  slugFrom: number;
  slugTo: number;
}

const pattern =
  /\{\{\s*nodes\.([A-Za-z0-9][A-Za-z0-9_-]*)\.outputs\.[A-Za-z0-9_.-]*\s*(?:\|\s*split\s*)?\}\}/g;

export function referencesIn(text: string): Reference[] {
  return [...text.matchAll(pattern)].map((match) => {
    const slug = match[1] ?? "";
    const slugFrom = match.index + match[0].indexOf("nodes.") + "nodes.".length;
    return {
      from: match.index,
      to: match.index + match[0].length,
      slug,
      slugFrom,
      slugTo: slugFrom + slug.length,
    };
  });
}

/** Renames every reference in `text` from node `from` to `to`. */
export function renameInText(text: string, from: string, to: string): string {
  let result = "";
  let at = 0;
  for (const { slug, slugFrom, slugTo } of referencesIn(text)) {
    if (slug !== from) continue;
    result += text.slice(at, slugFrom) + to;
    at = slugTo;
  }
  return result + text.slice(at);
}

/** Returns the nodes whose texts or conditions reference `slug`. */
export function nodesReferencing(plan: Pick<Plan, "nodes">, slug: string): Node[] {
  return plan.nodes.filter(
    (node) =>
      textsOf(node).some((text) => referencesIn(text).some((found) => found.slug === slug)) ||
      conditionsOf(node).some((text) => slugsInCondition(text).includes(slug)),
  );
}

/** Changes the slug of a node; with `rewrite`, also in all references. */
export function renameSlug(plan: Plan, id: NodeId, slug: string, rewrite: boolean): Plan {
  const old = plan.nodes.find((node) => node.id === id)?.slug;
  if (old === undefined || old === slug) return plan;
  const renamed = changeNode(plan, id, (node) => ({ ...node, slug }));
  if (!rewrite) return renamed;
  return nodesReferencing(plan, old).reduce(
    (result, { id: naming }) => changeNode(result, naming, (node) => rewritten(node, old, slug)),
    renamed,
  );
}

/** Returns the nodes that a node can reference: its ancestors in plan order. */
export function ancestorNodes(plan: Plan, id: NodeId): Node[] {
  const ancestors = reachable(adjacencyOf(plan).parentsOf, id);
  return plan.nodes.filter((node) => ancestors.has(node.id));
}

function textsOf({ kind }: Node): string[] {
  switch (kind.kind) {
    case "agent":
    case "llm_decision":
      return [kind.prompt];
    case "command":
      return typeof kind.command === "string" ? [kind.command] : kind.command;
    case "user_input":
      return [kind.question, ...kind.options];
    case "tool_call":
      return textsIn(kind.toolArgs);
    case "parallel":
      return kind.steps.flatMap(({ toolArgs }) => textsIn(toolArgs));
    case "loop":
      return "tool" in kind.body ? textsIn(kind.body.tool.toolArgs) : [kind.body.plan.prompt ?? ""];
    case "sub_plan":
      return [kind.prompt ?? ""];
    case "condition":
    case "note":
      return [];
  }
}

/** Returns the condition expressions of a node. */
function conditionsOf({ kind }: Node): string[] {
  if (kind.kind === "condition") return [kind.condition];
  return kind.kind === "loop" && kind.loopCondition !== null ? [kind.loopCondition] : [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Matches `nodes.<slug>` and `result:<slug>`, which may be followed by a key. */
const named = /\b(nodes\.|result:)([A-Za-z0-9][A-Za-z0-9_-]*)/g;

/** Returns the slugs of nodes that a condition references. */
function slugsInCondition(text: string): string[] {
  return [...text.matchAll(named)].map((match) => match[2] ?? "");
}

/** Renames every reference in a condition from node `from` to `to`. */
function renameInCondition(text: string, from: string, to: string): string {
  return text.replace(named, (all, word: string, slug: string) =>
    slug === from ? `${word}${to}` : all,
  );
}

function rewritten(node: Node, from: string, to: string): Node {
  const rename = (text: string) => renameInText(text, from, to);
  return {
    ...node,
    kind: rewrittenKind(node.kind, rename, (text) => renameInCondition(text, from, to)),
  };
}

type Rename = (text: string) => string;

function rewrittenKind(kind: NodeKind, rename: Rename, renameCondition: Rename): NodeKind {
  const call = ({ toolName, toolArgs }: ToolCall): ToolCall => ({
    toolName,
    toolArgs: renamedIn(toolArgs, rename) as ToolCall["toolArgs"],
  });
  switch (kind.kind) {
    case "agent":
    case "llm_decision":
      return { ...kind, prompt: rename(kind.prompt) };
    case "command": {
      const { command } = kind;
      return {
        ...kind,
        command: typeof command === "string" ? rename(command) : command.map(rename),
      };
    }
    case "user_input":
      return { ...kind, question: rename(kind.question), options: kind.options.map(rename) };
    case "tool_call":
      return { ...kind, ...call(kind) };
    case "parallel":
      return { ...kind, steps: kind.steps.map(call) };
    case "loop":
      return {
        ...kind,
        body:
          "tool" in kind.body
            ? { tool: call(kind.body.tool) }
            : { plan: withPrompt(kind.body.plan, rename) },
        loopCondition: kind.loopCondition === null ? null : renameCondition(kind.loopCondition),
      };
    case "condition":
      return { ...kind, condition: renameCondition(kind.condition) };
    case "sub_plan":
      return withPrompt(kind, rename);
    case "note":
      return kind;
  }
}

function withPrompt<Task extends { prompt?: string }>(task: Task, rename: Rename): Task {
  return task.prompt === undefined ? task : { ...task, prompt: rename(task.prompt) };
}

/** Applies `rename` to every string in the value, at any depth. */
function renamedIn(value: unknown, rename: Rename): unknown {
  if (typeof value === "string") return rename(value);
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renamedIn(item, rename)]),
  );
}
