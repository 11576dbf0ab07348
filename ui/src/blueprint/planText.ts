import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { showToast } from "@/components/toasts";
import type { Fragment } from "./edits";

/** Texts that are plans: files of Baton, and flowcharts of Mermaid. Rust reads them; here is only asked which to try. */

const flowchart =
  /^\s*(?:---\n[\s\S]*?\n---\s*)?(?:%%.*\s+)*(?:flowchart|graph)(?:-elk)?(?:\s+(?:TB|TD|BT|LR|RL))?\s*(?:;|\n|$)/;
const file = /^(?:baton:|nodes:|\s*\{\s*"(?:baton|title|nodes)"\s*:)/m;

/** Whether a text says that it is a plan or a flowchart. Anything else on a clipboard is somebody's text. */
export function claimsPlan(text: string): boolean {
  return flowchart.test(text) || (file.test(text) && /\bnodes\b/.test(text));
}

const mostFaults = 4;

/**
 * The nodes of a text with places beside one another. What is wrong with it is told with its lines, and then there are
 * none; what was left out is told too.
 */
export async function readPlanText(
  backend: Pick<Backend, "call">,
  text: string,
): Promise<Fragment | undefined> {
  try {
    const { plan, warnings } = await backend.call("plan_read", { fileName: "clipboard", text });
    if (plan.nodes.length === 0) throw new ApiError("invalid", "It holds no nodes.");
    if (warnings.length > 0)
      showToast({ kind: "info", title: "Pasted, but not all of it", detail: cut(warnings) });
    const { nodes, edges, groups } = plan;
    return { nodes, edges, groups, incoming: [] };
  } catch (cause) {
    const { message, details } = ApiError.from(cause);
    const detail = details.length > 0 ? cut(details) : message;
    showToast({ kind: "error", title: "Nothing was pasted", detail });
    return undefined;
  }
}

function cut(lines: readonly string[]): string {
  const more = lines.length - mostFaults;
  const told = lines
    .slice(0, mostFaults)
    .map((line) => line.replace(/^clipboard:(\d+):\d+: /, "Line $1: "));
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
