import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { showToast } from "@/components/toasts";
import type { Fragment } from "./edits";

/** Detects pasted plans: Baton's plan files and Mermaid flowcharts. The backend parses them. */

const fence = /^```\w*\s*$/;
const flowchart = /^(?:flowchart|graph)(?:-elk)?(?:\s+(?:TB|TD|BT|LR|RL))?\s*(?:;|$)/;
const file = /^(?:baton:|nodes:)/m;
const json = /^\{\s*"(?:baton|title|nodes)"\s*:/;
/** A list of nodes without a surrounding plan. */
const list = /^(?:-\s+\{?\s*|\[\s*\{\s*")(?:id|kind|title)"?\s*:/;

/**
 * Reports whether a text looks like a plan or a flowchart. Runs in linear time, because a clipboard
 * can hold any text.
 */
export function looksLikePlan(text: string): boolean {
  const first = firstLine(text);
  if (flowchart.test(first) || list.test(first)) return true;
  return (file.test(text) || json.test(text.trimStart())) && /\bnodes\b/.test(text);
}

/** Shown when the clipboard holds none of the supported formats. */
export const pasteFormatsText =
  "The clipboard doesn't contain nodes. You can paste copied nodes, a plan as YAML or JSON, or a Mermaid flowchart.";

/**
 * The first relevant line: skips code fences, comments, directives and front matter between `---`.
 */
function firstLine(text: string): string {
  let within: string | undefined;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    if (within !== undefined) {
      if (line === within || (within !== "---" && line.endsWith(within))) within = undefined;
    } else if (line === "---") within = "---";
    else if (line.startsWith("%%{") && !line.endsWith("}%%")) within = "}%%";
    else if (line !== "" && !line.startsWith("%%") && !fence.test(line)) return line;
  }
  return "";
}

const maxListedErrors = 4;

/**
 * Parses a text into nodes with positions. Shows faults with their lines and returns undefined;
 * omissions are shown too.
 */
export async function parsePlanText(
  backend: Pick<Backend, "call">,
  text: string,
): Promise<Fragment | undefined> {
  try {
    const { plan, warnings } = await backend.call("plan_read", { fileName: "clipboard", text });
    if (plan.nodes.length === 0) throw new ApiError("invalid", "It contains no nodes.");
    if (warnings.length > 0)
      showToast({ kind: "info", title: "Pasted with omissions", detail: cut(warnings) });
    const { nodes, edges, groups } = plan;
    return { nodes, edges, groups, incoming: [] };
  } catch (cause) {
    const { message, faults } = ApiError.from(cause);
    const detail = faults.length > 0 ? cut(faults) : message;
    showToast({ kind: "error", title: "Couldn't paste", detail });
    return undefined;
  }
}

function cut(lines: readonly string[]): string {
  const more = lines.length - maxListedErrors;
  const shown = lines
    .slice(0, maxListedErrors)
    .map((line) => line.replace(/^clipboard:(\d+):\d+: /, "Line $1: "));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
