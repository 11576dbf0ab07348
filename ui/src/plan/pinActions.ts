import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { Edge, EdgeView, NodeId, RunId } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import type { Editor } from "./editor";
import { displayTitle } from "./nodeText";
import type { Page } from "./page";
import { pinChangeFor } from "./pins";

/** Pins what nodes receive over their edges, or unpins it. Does not change the plan. */
export function createPinActions(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  const titleOf = (id: string) =>
    displayTitle(editor.getState().plan.nodes.find((node) => node.id === id)?.title ?? "");

  /** Pins the current handoff of an edge. Returns why it couldn't; undefined on success. */
  async function pin(run: RunId, { parent, child }: Edge): Promise<string | undefined> {
    const edge = { run, parent, child };
    const { body, artifact }: EdgeView = await backend.call("edge_context", edge);
    if (body.trim() === "") return `The handoff of ${titleOf(parent)} has no text`;
    await backend.call("handoff_pin", { ...edge, text: body, artifact });
    return undefined;
  }

  async function unpin(run: RunId, { parent, child }: Edge): Promise<undefined> {
    await backend.call("handoff_unpin", { run, parent, child });
    return undefined;
  }

  return {
    /**
     * Pins what the selection receives, or unpins it when all of it is pinned. Reports handoffs
     * that stay unchanged.
     */
    /** Removes the pinned output of a node. */
    async unpinOutput(node: NodeId) {
      const { plan } = editor.getState();
      try {
        await backend.call("node_output_unpin", { plan: plan.id, node });
        page.setState({ announcement: `Output of ${titleOf(node)} unpinned` });
      } catch (cause) {
        const detail = ApiError.from(cause).message;
        showToast({ kind: "error", title: "Couldn't unpin the output", detail });
      }
    },

    async togglePins() {
      const context = editor.getState();
      const pinning = pinChangeFor(context);
      const run = context.run?.summary.id;
      if ("refusal" in pinning || !run) return;
      const act = pinning.act === "pin" ? pin : unpin;
      const left = [...pinning.left];
      for (const edge of pinning.edges) {
        try {
          const refusal = await act(run, edge);
          if (refusal) left.push(refusal);
        } catch (cause) {
          left.push(ApiError.from(cause).message);
        }
      }
      const done = pinning.edges.length + pinning.left.length - left.length;
      const words = `${formatCount(done, "handoff")} ${pinning.act === "pin" ? "pinned" : "unpinned"}`;
      page.setState({ announcement: [words, ...left].join(". ") });
      if (left.length > 0)
        showToast({
          kind: done > 0 ? "info" : "error",
          title: done > 0 ? words : `Nothing was ${pinning.act}ned`,
          detail: `${left[0]}${left.length > 1 ? `, and ${left.length - 1} more` : ""}.`,
        });
    },
  };
}
