import { ApiError } from "@/api/ApiError";
import {
  type ExportInput,
  exportFormats,
  isDark,
  renderExport,
  saveExport,
} from "@/blueprint/exportBlueprint";
import type { blueprintCommands } from "@/commands/catalog/blueprint";
import type { HandlersFor } from "@/commands/command";
import { showToast } from "@/components/toasts";
import type { Blueprint } from "@/plan/blueprintContext";
import { clipboardWrite } from "@/plan/clipboardText";
import { runPhase } from "@/plan/runStatus";
import { paths } from "@/shell/paths";
import type { CommandContext } from "./commandContext";

/** Handlers for the open blueprint as a whole. */
export function blueprintCommandHandlers(
  { editor, page }: Blueprint,
  context: CommandContext,
): HandlersFor<typeof blueprintCommands> {
  return {
    rename_plan: { run: () => page.setState({ renamingTitle: true }) },
    plan_settings: {
      run: () => {
        editor.getState().select([]);
        page.setState({ sideOpen: true });
      },
    },
    open_blueprint_terminal: {
      run: () =>
        page.setState({
          drawerOpen: true,
          drawerTab: "terminal",
          terminalRequest: { kind: "plan", plan: editor.getState().plan.id },
        }),
    },
    explain_plan: {
      run: () => {
        const { id, title } = editor.getState().plan;
        page.setState({
          plannerRequest: { ask: "explain", plan: id, node: null, title: title || "Untitled" },
        });
      },
    },
    duplicate_plan: {
      run: () =>
        attempt("Couldn't duplicate the blueprint", async () => {
          const { backend, go } = context;
          const { plan } = await backend.call("plan_duplicate", { plan: await saved(editor) });
          go(paths.blueprint(plan.id));
        }),
    },
    star_plan: {
      label: () => (context.star.isThere() ? "Remove star" : "Star blueprint"),
      run: () => {
        const there = !context.star.isThere();
        context.star.put(there);
        page.setState({ announcement: there ? "Starred" : "Star removed" });
      },
    },
    export_plan: {
      choices: () =>
        exportFormats.map(({ as, label }) => ({
          id: as,
          label,
          run: () =>
            attempt("Couldn't export the blueprint", async () => {
              const place = await saveExport(context.backend, onCanvas(editor), as);
              if (place) showToast({ kind: "info", title: "Blueprint exported", detail: place });
            }),
        })),
    },
    export_selection: {
      refusal: () =>
        editor.getState().selection.size === 0 ? "Select something to export first" : undefined,
      choices: () =>
        exportFormats
          .filter(({ as }) => as !== "yaml" && as !== "json")
          .map(({ as, label }) => ({
            id: as,
            label,
            run: () =>
              attempt("Couldn't export the selection", async () => {
                const nodes = [...editor.getState().selection];
                const what = { ...onCanvas(editor), nodes };
                const place = await saveExport(context.backend, what, as);
                if (place) showToast({ kind: "info", title: "Selection exported", detail: place });
              }),
          })),
    },
    copy_plan: {
      choices: () =>
        exportFormats
          .flatMap(({ as, label }) => (as === "png" ? [] : [{ as, label }]))
          .map(({ as, label }) => ({
            id: as,
            label,
            run: () =>
              attempt("Couldn't copy the blueprint", async () => {
                const { text } = await renderExport(context.backend, onCanvas(editor), as);
                if (await clipboardWrite(text))
                  showToast({ kind: "info", title: `Blueprint copied as ${label}` });
              }),
          })),
    },
    list_runs: { run: () => context.go(paths.runsOf(editor.getState().plan.id)) },
    show_versions: { run: () => context.go(paths.versions(editor.getState().plan.id)) },
    compare_versions: {
      refusal: () =>
        editor.getState().view.version > 1 ? undefined : "There is only one version so far",
      run: () => context.go(paths.compare(editor.getState().plan.id)),
    },
    delete_plan: {
      refusal: () => {
        if (editor.getState().deletion) return "Already deleted";
        return runPhase(editor.getState().run) === "idle"
          ? undefined
          : "A run is active; stop it first";
      },
      run: () => page.setState({ deleting: true }),
    },
  };
}

/** Saves the working copy and returns the plan's ID. */
async function saved(editor: Blueprint["editor"]): Promise<string> {
  if (await editor.getState().flush()) return editor.getState().plan.id;
  const { saveMessage } = editor.getState();
  throw new ApiError(
    "refused",
    saveMessage ?? "Not saved yet. Fix the problem shown in the header.",
  );
}

/** Returns the plan and run as shown, including unsaved changes. */
function onCanvas(editor: Blueprint["editor"]): ExportInput {
  const { plan, run } = editor.getState();
  return { plan, run: run?.summary.id, dark: isDark() };
}

async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
  }
}
