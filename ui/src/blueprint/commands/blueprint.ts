import type { blueprintCommands } from "@/commands/catalogue/blueprint";
import type { ActsFor } from "@/commands/command";
import type { Blueprint } from "../blueprintContext";

/** What concerns the open blueprint as a whole. */
export function blueprintActs({ editor, page }: Blueprint): ActsFor<typeof blueprintCommands> {
  return {
    explain_plan: {
      run: () => {
        const { id, title } = editor.getState().plan;
        page.setState({
          order: { ask: "explain", plan: id, node: null, title: title || "Untitled" },
        });
      },
    },
  };
}
