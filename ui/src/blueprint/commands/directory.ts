import type { DirectoryProgram, WorkPlace } from "@/api/bindings";
import type { CommandHandler } from "@/commands/command";
import type { Blueprint } from "@/plan/blueprintContext";
import { openDirectory } from "@/plan/openDirectory";
import { workPlaceOf } from "../workPlace";
import type { CommandContext } from "./commandContext";
import { singleSelectedNode } from "./refusals";

type DirectoryCommand = "open_terminal" | "open_folder" | "open_in_editor";

/** Handlers for the directory in which the selected node worked in the shown run. */
export function directoryHandlers(
  blueprint: Blueprint,
  { backend }: CommandContext,
): Record<DirectoryCommand, CommandHandler> {
  const { editor, page } = blueprint;
  const chosen = (): { place?: WorkPlace | undefined; refusal?: string | undefined } => {
    const { node, refusal } = singleSelectedNode(blueprint);
    if (!node) return { refusal };
    return workPlaceOf(node, editor.getState().run?.summary.id);
  };
  const act = (apply: (place: WorkPlace) => void) => ({
    refusal: () => chosen().refusal,
    run: () => {
      const { place } = chosen();
      if (place) apply(place);
    },
  });
  const open = (program: DirectoryProgram) => {
    const command = act((place) => void openDirectory(backend, place, program));
    // In a browser the page may be on another machine than the files.
    const refusal = () => (backend.desktop ? command.refusal() : "Only in the desktop app");
    return { ...command, refusal };
  };
  return {
    open_terminal: act((terminalRequest) =>
      page.setState({ drawerOpen: true, drawerTab: "terminal", terminalRequest }),
    ),
    open_folder: open("file_manager"),
    open_in_editor: open("editor"),
  };
}
