import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { showToast } from "@/components/toasts";
import type { Fragment } from "./edits";

/** Texts that are plans: files of Baton, and flowcharts of Mermaid. Rust reads them; here is only asked which to try. */

const fence = /^```\w*\s*$/;
const flowchart = /^(?:flowchart|graph)(?:-elk)?(?:\s+(?:TB|TD|BT|LR|RL))?\s*(?:;|$)/;
const file = /^(?:baton:|nodes:)/m;
const json = /^\{\s*"(?:baton|title|nodes)"\s*:/;
/** A list of nodes without anything around it. */
const list = /^(?:-\s+\{?\s*|\[\s*\{\s*")(?:id|kind|title)"?\s*:/;

/**
 * Whether a text says that it is a plan or a flowchart. Anything else on a clipboard is somebody's text. Its time grows
 * with the text and no faster: a clipboard holds whatever somebody copied.
 */
export function looksLikePlan(text: string): boolean {
  const first = firstLine(text);
  if (flowchart.test(first) || list.test(first)) return true;
  return (file.test(text) || json.test(text.trimStart())) && /\bnodes\b/.test(text);
}

/** What a text that is pasted has to be; the answer where it is none of it. */
export const pasteFormatsText =
  "The clipboard doesn't contain nodes. You can paste copied nodes, a plan as YAML or JSON, or a Mermaid flowchart.";

/** The first line that says something, without the marks of a block of code, comments, and the lines between `---`. */
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
 * The nodes of a text with places beside one another. What is wrong with it is told with its lines, and then there are
 * none; what was left out is told too.
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
  const told = lines
    .slice(0, maxListedErrors)
    .map((line) => line.replace(/^clipboard:(\d+):\d+: /, "Line $1: "));
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
